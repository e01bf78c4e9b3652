import { Command, CommanderError } from 'commander';
import { addBatchCommands } from './cli/commands/batch-commands.ts';
import type { CommandContext } from './cli/commands/command-context.ts';
import { addReadingCommands } from './cli/commands/reading-commands.ts';
import { addSetupCommands } from './cli/commands/setup-commands.ts';
import { addSubmissionCommands } from './cli/commands/submission-commands.ts';
import { type ClientCredentials, readCredentials } from './cli/credentials.ts';
import { EXIT_CODES, EXIT_CODES_HELP, JournalMisfit, UsageError } from './cli/exit-codes.ts';
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
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
    if (error instanceof UsageError || error instanceof RangeError) {
      console.message(error.message);
      return EXIT_CODES.usage;
    }
    if (error instanceof RequestRefused) return reportOutcome(console, error.outcome);
    if (error instanceof JournalMisfit) {
      console.message(error.message);
      return EXIT_CODES.journalMisfit;
    }
    if (error instanceof GaveUp) {
      console.message(error.message);
      return EXIT_CODES.gaveUp;
    }
    if (error instanceof TransportError) {
      console.message(error.message);
      return EXIT_CODES.unreachable;
    }
    if (!signal?.aborted) throw error;
    console.message('Interrupted.');
    return EXIT_CODES.interrupted;
  }
}

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
    client: (options) => makeRegistryClient({ ...options, ...credentials(), baseUrl: baseUrl() }),
    end,
  };
  addSubmissionCommands(program, context);
  addBatchCommands(program, context);
  addReadingCommands(program, context);
  addSetupCommands(program, context);
  return program;
}

function requireUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--base-url must be an http or https URL, not ${JSON.stringify(text)}.`);
}
