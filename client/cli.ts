import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { AmendmentBody } from '../shared/contract/machine/amendment.ts';
import type { CancellationBody } from '../shared/contract/machine/cancellation.ts';
import type { TransmissionBody } from '../shared/contract/machine/transmission.ts';
import { runBatch } from './cli/batch.ts';
import { readCredentials } from './cli/credentials.ts';
import { EXIT_CODES, EXIT_CODES_HELP, UsageError } from './cli/exit-codes.ts';
import { decodeText } from './cli/read-text.ts';
import { type Console, reportOutcome, reportSubmission } from './cli/report.ts';
import { makeSignedHeaders } from './cli/sign-command.ts';
import { TransportError } from './outcome.ts';
import { makeRegistryClient, type RegistryClient, type SearchCriteria } from './registry-client.ts';

interface GlobalOptions {
  readonly baseUrl: string;
  readonly clientFile?: string;
  readonly client?: string;
}

export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  readonly console: Console;
  /** All of standard input. */
  readonly readInput: () => Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** Runs one command line, without the names of node and the script, and returns the exit code. */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { console, signal } = surroundings;
  let exitCode: number = EXIT_CODES.done;
  const program = makeProgram(surroundings, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
    if (error instanceof UsageError || error instanceof RangeError) {
      console.say(error.message);
      return EXIT_CODES.usage;
    }
    if (error instanceof TransportError) {
      console.say(error.message);
      return EXIT_CODES.unreachable;
    }
    if (!signal?.aborted) throw error;
    console.say('Interrupted.');
    return EXIT_CODES.interrupted;
  }
}

function makeProgram(
  { environment, console, readInput, signal }: Surroundings,
  end: (exitCode: number) => void,
): Command {
  const program = new Command('registry')
    .description('Sends signed requests to a transmission registry.')
    .option(
      '--base-url <url>',
      'origin of the registry; else REGISTRY_URL',
      environment['REGISTRY_URL'] ?? 'http://127.0.0.1:3000',
    )
    .option(
      '--client-file <file>',
      'JSON file of credentials; else REGISTRY_CLIENT_ID, REGISTRY_CLIENT_SECRET and REGISTRY_SIGNING_SECRET',
    )
    .option('--client <name>', 'which client of the file')
    .addHelpText('after', EXIT_CODES_HELP)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.data(text.trimEnd()),
      writeErr: (text) => console.say(text.trimEnd()),
    });

  const credentials = () => readCredentials(program.opts<GlobalOptions>(), environment);
  const client = (): RegistryClient =>
    makeRegistryClient({
      ...credentials(),
      baseUrl: checkUrl(program.opts<GlobalOptions>().baseUrl),
    });
  const readBytes = (file: string) => (file === '-' ? readInput() : readFile(file));
  const readBody = <Body>(file: string): Body => parseBody(file, readBytes(file));

  program
    .command('token')
    .description('obtain an access token')
    .action(async () => end(reportOutcome(console, await client().obtainToken())));

  program
    .command('transmit <file>')
    .description(
      'transmit one certificate, a JSON file or - for standard input, and follow it to its outcome',
    )
    .option('--deadline <seconds>', 'how long to follow it', wholeNumber, 120)
    .action(async (file: string, { deadline }: { deadline: number }) =>
      end(
        reportSubmission(
          console,
          await client().transmitAndWait(readBody<TransmissionBody>(file), {
            deadlineSeconds: deadline,
            signal,
          }),
        ),
      ),
    );

  program
    .command('batch <file>')
    .description(
      'transmit a file: .ndjson with one transmission a line, or .csv with one vehicle a row, grouped by insurer, policy and COC number',
    )
    .option(
      '--outcomes <file>',
      'where each outcome is appended; run again, the batch goes on from there (default: <file>.outcomes.ndjson)',
    )
    .option('--concurrency <n>', 'transmissions under way at a time', wholeNumber, 8)
    .option('--deadline <seconds>', 'how long to follow each one', wholeNumber, 300)
    .action(
      async (file: string, options: { outcomes?: string; concurrency: number; deadline: number }) =>
        end(
          await runBatch(console, client(), file, {
            ...options,
            deadlineSeconds: options.deadline,
            signal,
          }),
        ),
    );

  program
    .command('lookup <reference>')
    .description(
      'the acknowledgment of a transmission, by its reference or your externalTransactionId',
    )
    .option('--wait <seconds>', 'hold the answer until the outcome, at most 30', wholeNumber)
    .action(async (reference: string, { wait }: { wait?: number }) =>
      end(
        reportOutcome(
          console,
          await client().readTransmission(reference, { waitSeconds: wait, signal }),
        ),
      ),
    );

  program
    .command('search')
    .description('search the records visible to you')
    .option('--plate-number <value>')
    .option('--mv-file-number <value>')
    .option('--chassis-number <value>')
    .option('--engine-number <value>')
    .option('--policy-number <value>')
    .option('--coc-number <value>')
    .option('--status <coverageStatus>')
    .option('--page <n>', 'from 1', wholeNumber)
    .option('--page-size <n>', '1 to 200', wholeNumber)
    .action(async (criteria: SearchCriteria) =>
      end(reportOutcome(console, await client().searchRecords(criteria))),
    );

  program
    .command('read <registryReference>')
    .description('one record with its history')
    .action(async (reference: string) =>
      end(reportOutcome(console, await client().readRecord(reference))),
    );

  program
    .command('amend <registryReference> <file>')
    .description('amend a record with the JSON of a file, - for standard input')
    .action(async (reference: string, file: string) => {
      const registry = client();
      end(
        reportSubmission(
          console,
          await registry.follow(await registry.amend(reference, readBody<AmendmentBody>(file))),
        ),
      );
    });

  program
    .command('cancel <registryReference> <file>')
    .description('cancel a record with the JSON of a file, - for standard input')
    .action(async (reference: string, file: string) => {
      const registry = client();
      end(
        reportSubmission(
          console,
          await registry.follow(await registry.cancel(reference, readBody<CancellationBody>(file))),
        ),
      );
    });

  program
    .command('coverage <identifier>')
    .description('whether a vehicle is covered, by plate, MV file, chassis or engine number')
    .option('--as-of <date>', 'on another day, YYYY-MM-DD')
    .action(async (identifier: string, { asOf }: { asOf?: string }) =>
      end(reportOutcome(console, await client().checkCoverage(identifier, { asOf }))),
    );

  program
    .command('sign <method> <target> [file]')
    .description(
      'print the signature headers of a request (file: its body, - for standard input), to compare with your own',
    )
    .option('--timestamp <seconds>', 'Unix time instead of now')
    .option('--nonce <value>', 'instead of a random one')
    .option('--token', 'obtain a token and print the Authorization header, too')
    .action(
      async (
        method: string,
        target: string,
        file: string | undefined,
        options: { timestamp?: string; nonce?: string; token?: true },
      ) => {
        const body = file === undefined ? new Uint8Array() : readBytes(file);
        const signed = makeSignedHeaders(credentials(), { method, target, body, ...options });
        if (options.token) {
          const outcome = await client().obtainToken();
          if (!outcome.ok) return end(reportOutcome(console, outcome));
          console.data(`Authorization: Bearer ${outcome.data.access_token}`);
        }
        console.data(signed.headers.join('\n'));
        console.say(`Signed, between the lines:\n---\n${signed.canonicalString}\n---`);
      },
    );

  return program;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function checkUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--base-url must be an http or https URL, not ${JSON.stringify(text)}.`);
}

function readFile(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function parseBody<Body>(file: string, bytes: Uint8Array): Body {
  try {
    return JSON.parse(decodeText(bytes));
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${file}: ${error.message}`);
    throw new UsageError(
      `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
