import type { Command } from 'commander';
import type { AmendmentBody } from '../../../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../../../shared/contract/machine/cancellation.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type { ValidationBody } from '../../../shared/contract/machine/transmissions/validation.ts';
import type { RegistryClient, SubmissionOutcome } from '../../registry-client.ts';
import { reportOutcome, reportSubmission } from '../report.ts';
import { type CommandContext, readBody, wholeNumber } from './command-context.ts';

/** One transmission, amendment or cancellation, and its acknowledgment. */
export function addSubmissionCommands(program: Command, context: CommandContext): void {
  const { console, client, signal, end } = context;
  const submit = async (
    send: (registry: RegistryClient) => Promise<SubmissionOutcome>,
  ): Promise<void> => {
    const registry = client();
    end(reportSubmission(console, await registry.follow(await send(registry), { signal })));
  };

  program
    .command('token')
    .description('obtain an access token')
    .action(async () => end(reportOutcome(console, await client().obtainToken())));

  program
    .command('validate <file>')
    .description(
      'ask what transmitting a certificate would lead to now, and register nothing (- for standard input)',
    )
    .action(async (file: string) =>
      end(reportOutcome(console, await client().validate(readBody<ValidationBody>(context, file)))),
    );

  program
    .command('transmit <file>')
    .description(
      'transmit one certificate from a JSON file (- for standard input) and wait for its outcome',
    )
    .option('--deadline <seconds>', 'how long to wait', wholeNumber, 120)
    .action(async (file: string, { deadline }: { deadline: number }) =>
      end(
        reportSubmission(
          console,
          await client().transmitAndWait(readBody<TransmissionBody>(context, file), {
            deadlineSeconds: deadline,
            signal,
          }),
        ),
      ),
    );

  program
    .command('lookup <reference>')
    .description(
      'show the acknowledgment of a transmission, by its reference or your externalTransactionId',
    )
    .option('--wait <seconds>', 'how long to wait for the outcome, at most 30', wholeNumber)
    .action(async (reference: string, { wait }: { wait?: number }) =>
      end(
        reportOutcome(
          console,
          await client().readTransmission(reference, { waitSeconds: wait, signal }),
        ),
      ),
    );

  program
    .command('amend <registryReference> <file>')
    .description('amend a record with the JSON of a file (- for standard input)')
    .action((reference: string, file: string) =>
      submit((registry) => registry.amend(reference, readBody<AmendmentBody>(context, file))),
    );

  program
    .command('cancel <registryReference> <file>')
    .description('cancel a record with the JSON of a file (- for standard input)')
    .action((reference: string, file: string) =>
      submit((registry) => registry.cancel(reference, readBody<CancellationBody>(context, file))),
    );
}
