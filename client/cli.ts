import { Command, CommanderError } from 'commander';
import { trimBaseUrl } from './base-url.ts';
import { addBatchCommands } from './cli/commands/batch-commands.ts';
import type { CommandContext } from './cli/commands/command-context.ts';
import { addReadingCommands } from './cli/commands/reading-commands.ts';
import { addSetupCommands } from './cli/commands/setup-commands.ts';
import { addSubmissionCommands } from './cli/commands/submission-commands.ts';
import { type ClientCredentials, readCredentials } from './cli/credentials.ts';
import {
  EXIT_CODES,
  EXIT_CODES_HELP,
  FileError,
  JournalMisfit,
  UsageError,
} from './cli/exit-codes.ts';
import { readProfile } from './cli/profiles.ts';
import { type Console, reportOutcome } from './cli/report.ts';
import { RequestRefused } from './cli/require-data.ts';
import { TransportError } from './outcome.ts';
import { makeRegistryClient } from './registry-client.ts';
import { GaveUp } from './transport.ts';

interface GlobalOptions {
  readonly baseUrl: string;
  readonly clientFile?: string;
  readonly client?: string;
  readonly profile?: string;
}

export interface CliContext {
  readonly environment: NodeJS.ProcessEnv;
  readonly console: Console;
  /** Reads standard input to its end. */
  readonly readInput: () => Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command and returns the exit code. `args` does not include the names of node and the script. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  const { console, signal } = context;
  let exitCode: number = EXIT_CODES.done;
  const program = makeProgram(context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    const ended = explain(error, console);
    if (ended !== undefined) return ended;
    if (!signal?.aborted) throw error;
    console.message('Interrupted.');
    return EXIT_CODES.interrupted;
  }
}

/** Tells what went wrong and returns the exit code; undefined for an error that nobody foresaw. */
function explain(error: unknown, console: Console): number | undefined {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
  if (error instanceof RequestRefused) return reportOutcome(console, error.outcome);
  if (!(error instanceof Error)) return undefined;
  const known = ENDS.find(([kind]) => error instanceof kind);
  if (known !== undefined) {
    console.message(error.message);
    return known[1];
  }
  // An error of the operating system; those of the network have become TransportError.
  if (!('syscall' in error)) return undefined;
  console.message(
    `A file could not be read or written: ${error.message}. Nothing that was received is lost: a batch or a mirror resumes when you run the command again.`,
  );
  return EXIT_CODES.fileError;
}

/** The first that matches: GaveUp is a TransportError, too. */
const ENDS = [
  [UsageError, EXIT_CODES.usage],
  [RangeError, EXIT_CODES.usage],
  [JournalMisfit, EXIT_CODES.journalMisfit],
  [FileError, EXIT_CODES.fileError],
  [GaveUp, EXIT_CODES.gaveUp],
  [TransportError, EXIT_CODES.unreachable],
] as const;

function makeProgram(
  { environment, console, readInput, signal }: CliContext,
  end: (exitCode: number) => void,
): Command {
  const program = new Command('registry')
    .description('Sends signed requests to a transmission registry.')
    .option(
      '--base-url <url>',
      'origin of the registry; overrides REGISTRY_URL',
      environment['REGISTRY_URL'] ?? 'http://127.0.0.1:3000',
    )
    .option(
      '--client-file <file>',
      'JSON file with credentials, instead of REGISTRY_CLIENT_ID, REGISTRY_CLIENT_SECRET and REGISTRY_SIGNING_SECRET',
    )
    .option('--client <name>', 'name of a client in the file')
    .option('--profile <name>', 'base URL and credentials that `profile save` has kept')
    .addHelpText('after', EXIT_CODES_HELP)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.data(text.trimEnd()),
      writeErr: (text) => console.message(text.trimEnd()),
    });

  const options = () => program.opts<GlobalOptions>();
  function credentials(): ClientCredentials {
    const { profile: name, clientFile } = options();
    if (name === undefined || clientFile !== undefined)
      return readCredentials(options(), environment);
    return { name, ...readProfile(name, environment) };
  }
  function baseUrl(): string {
    const { profile: name, baseUrl: given } = options();
    const isGiven = name === undefined || program.getOptionValueSource('baseUrl') === 'cli';
    return requireUrl(isGiven ? given : readProfile(name, environment).baseUrl);
  }
  const context: CommandContext = {
    console,
    environment,
    signal,
    readInput,
    baseUrl,
    credentials,
    client: (options) =>
      makeRegistryClient({ signal, ...options, ...credentials(), baseUrl: baseUrl() }),
    end,
  };
  addSubmissionCommands(program, context);
  addBatchCommands(program, context);
  addReadingCommands(program, context);
  addSetupCommands(program, context);
  return program;
}

function requireUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return trimBaseUrl(text);
  throw new UsageError(`--base-url must be an http or https URL, not ${JSON.stringify(text)}.`);
}
