import type { Command } from 'commander';
import type { SearchCriteria } from '../../registry-client.ts';
import { mirror } from '../mirror.ts';
import { reportOutcome } from '../report.ts';
import { makeSignedHeaders } from '../sign-command.ts';
import { type CommandContext, positiveNumber, readBytes, wholeNumber } from './command-context.ts';

/** Records, coverage, and signatures to compare with one's own. */
export function addReadingCommands(program: Command, context: CommandContext): void {
  const { console, client, credentials, signal, end } = context;

  program
    .command('limits')
    .description(
      'show your quota, the sizes and the rules that hold now, and the time of the server',
    )
    .action(async () => end(reportOutcome(console, await client().readLimits())));

  program
    .command('search')
    .description('search the records that your organization can see')
    .option('--plate-number <value>')
    .option('--mv-file-number <value>')
    .option('--chassis-number <value>')
    .option('--engine-number <value>')
    .option('--policy-number <value>')
    .option('--coc-number <value>')
    .option('--status <coverageStatus>')
    .option('--page <n>', 'starts at 1', wholeNumber)
    .option('--page-size <n>', '1 to 200', wholeNumber)
    .action(async (criteria: SearchCriteria) =>
      end(reportOutcome(console, await client().searchRecords(criteria))),
    );

  program
    .command('read <registryReference>')
    .description('show a record with its history')
    .action(async (reference: string) =>
      end(reportOutcome(console, await client().readRecord(reference))),
    );

  program
    .command('mirror <file>')
    .description(
      'append every change that concerns your organization to an NDJSON file, and continue it when it is run again',
    )
    .option('--types <list>', 'only these types of changes, separated by commas')
    .option('--records', 'add the summary of its record to each change')
    .option('--once', 'end when there are no more changes, instead of waiting for them')
    .option(
      '--give-up-after <minutes>',
      'how long to wait for a registry that does not answer',
      positiveNumber,
      30,
    )
    .action(
      async (
        file: string,
        flags: { types?: string; records?: true; once?: true; giveUpAfter: number },
      ) =>
        end(
          await mirror(console, client({ giveUpAfterSeconds: flags.giveUpAfter * 60 }), file, {
            types: flags.types,
            withRecords: flags.records === true,
            isOnce: flags.once === true,
            signal,
          }),
        ),
    );

  program
    .command('coverage <identifier>')
    .description('check whether a vehicle is covered, by plate, MV file, chassis or engine number')
    .option('--as-of <date>', 'date to check instead of today, YYYY-MM-DD')
    .action(async (identifier: string, { asOf }: { asOf?: string }) =>
      end(reportOutcome(console, await client().checkCoverage(identifier, { asOf }))),
    );

  program
    .command('sign <method> <target> [file]')
    .description(
      'print the signature headers of a request, to compare with your own (file: the request body, - for standard input)',
    )
    .option('--timestamp <seconds>', 'Unix time instead of now')
    .option('--nonce <value>', 'nonce instead of a random one')
    .option('--token', 'also obtain a token and print the Authorization header')
    .action(
      async (
        method: string,
        target: string,
        file: string | undefined,
        options: { timestamp?: string; nonce?: string; token?: true },
      ) => {
        const body = file === undefined ? new Uint8Array() : readBytes(context, file);
        const signed = makeSignedHeaders(credentials(), { method, target, body, ...options });
        if (options.token) {
          const outcome = await client().obtainToken();
          if (!outcome.ok) return end(reportOutcome(console, outcome));
          console.data(`Authorization: Bearer ${outcome.data.access_token}`);
        }
        console.data(signed.headers.join('\n'));
        console.message(
          `The signed string, between the lines:\n---\n${signed.canonicalString}\n---`,
        );
      },
    );
}
