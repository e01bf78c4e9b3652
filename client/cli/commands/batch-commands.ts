import { type Command, InvalidArgumentError, Option } from 'commander';
import { API_VERSION } from '../../../shared/contract/machine/endpoints.ts';
import { BatchName } from '../../../shared/contract/machine/transmissions/batch.ts';
import { checkLocally } from '../batch/dry-run-local.ts';
import { checkAtRegistry } from '../batch/dry-run-registry.ts';
import { requireSameFormat, writeFailedRows } from '../batch/failed-rows.ts';
import { readJournal } from '../batch/journal/read-journal.ts';
import { requireReportName, writeReport } from '../batch/report.ts';
import {
  ASYNC_ABOVE,
  type BatchContext,
  journalOf,
  type SendOptions,
  sendBatch,
} from '../batch/send.ts';
import { requireJournal, showStatus, showStatusByName } from '../batch/status.ts';
import { totalsOf } from '../batch/totals.ts';
import { EXIT_CODES, UsageError } from '../exit-codes.ts';
import { ENCODINGS, type Encoding } from '../input/read-text.ts';
import { requireOutput } from '../output-file.ts';
import { type CommandContext, positiveNumber, wholeNumber } from './command-context.ts';

const JOURNAL_OPTION = [
  '--journal <file>',
  'file with the progress of the batch, from which it resumes when it is run again (default: <file>.journal.ndjson)',
] as const;

interface SendFlags {
  readonly encoding: Encoding;
  readonly journal?: string;
  readonly batch?: string;
  readonly concurrency?: number;
  readonly deadline: number;
  readonly giveUpAfter: number;
  readonly async?: boolean;
  readonly force?: true;
  readonly renewIds?: true;
  readonly report?: string;
  readonly json?: true;
}

interface DryRunFlags {
  readonly dryRun?: 'local' | 'registry';
}

interface StatusFlags {
  readonly journal?: string;
  readonly batch?: string;
  readonly json?: true;
}

/** `batch <file>` is `batch send <file>`. */
export function addBatchCommands(program: Command, context: CommandContext): void {
  const { console, end } = context;
  const batch = program
    .command('batch')
    .description('send a file of certificates, follow it, and correct what was refused')
    .addHelpText(
      'after',
      '\n`batch <file>` means `batch send <file>`. --journal has replaced --outcomes of earlier releases.',
    );

  withSendOptions(batch.command('send <file>', { isDefault: true }))
    .description(
      'transmit all certificates of a file: .csv, .tsv, .txt or .xlsx with one vehicle per row, the rows of a certificate (insurer, policy and COC number) together, or else NDJSON with one transmission per line',
    )
    .addOption(
      new Option(
        '--dry-run [where]',
        'register nothing: check the file and the form of each certificate on this machine, and with --dry-run=registry also ask the registry for the outcome of each',
      )
        .choices(['local', 'registry'])
        .preset('local'),
    )
    .action(async (file: string, flags: SendFlags & DryRunFlags) => {
      const { dryRun, ...sending } = flags;
      if (dryRun === 'local') {
        return end(await checkLocally(console, file, flags.encoding, flags.json === true));
      }
      const run = dryRun === 'registry' ? checkAtRegistry : sendBatch;
      end(await run(batchContextOf(context), file, optionsOf(file, sending, false)));
    });

  batch
    .command('status [file]')
    .description(
      'show how far a batch is, also while it is being sent: by its journal, and by the registry',
    )
    .option(...JOURNAL_OPTION)
    .option(
      '--batch <name>',
      'ask the registry alone, for a batch whose journal is elsewhere',
      batchName,
    )
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, flags: StatusFlags) => {
      const { journal, batch: name, json } = flags;
      if (name !== undefined) return end(await showStatusByName(context, name, json === true));
      if (file === undefined) throw new UsageError('Name the file of the batch, or its --batch.');
      end(await showStatus(context, journalOf(file, journal), json === true));
    });

  batch
    .command('report <file> <report>')
    .description('write the outcome of every certificate to <report>, which ends in .html or .csv')
    .option(...JOURNAL_OPTION)
    .action(async (file: string, report: string, { journal }: { journal?: string }) => {
      requireReportName(report);
      requireJournal(journalOf(file, journal));
      requireOutput(report, file, journalOf(file, journal));
      await writeReport(journalOf(file, journal), report);
      const { unsent } = totalsOf(await readJournal(journalOf(file, journal)));
      if (unsent > 0) console.message(`${unsent} certificates are not sent yet and not in it.`);
      end(EXIT_CODES.done);
    });

  withSendOptions(batch.command('retry <file>'))
    .description(
      'send what was refused again, rejected certificates under new ids (<id>.r2); or with --failed-only write it to a file to correct it',
    )
    .option(
      '--failed-only <out>',
      'send nothing; write the refused certificates in the format of the file, with the errors in the last columns',
    )
    .action(async (file: string, flags: SendFlags & { failedOnly?: string }) => {
      const journal = journalOf(file, flags.journal);
      requireJournal(journal);
      if (flags.failedOnly === undefined) {
        return end(await sendBatch(batchContextOf(context), file, optionsOf(file, flags, true)));
      }
      requireSameFormat(file, flags.failedOnly);
      requireOutput(flags.failedOnly, file, journal);
      const count = await writeFailedRows(file, flags.encoding, journal, flags.failedOnly);
      console.message(`${count} refused certificates are in ${flags.failedOnly}.`);
      end(EXIT_CODES.done);
    });
}

function withSendOptions(command: Command): Command {
  return command
    .option(...JOURNAL_OPTION)
    .addOption(
      new Option('--encoding <name>', 'encoding of the file').choices(ENCODINGS).default('utf-8'),
    )
    .option(
      '--batch <name>',
      'name of the batch at the registry (default: made from the file)',
      batchName,
    )
    .option(
      '--concurrency <n>',
      'largest number of transmissions in flight; the command adapts it to the registry',
      wholeNumber,
    )
    .option(
      '--deadline <seconds>',
      'how long to wait for each outcome; with --async for the next one',
      wholeNumber,
      300,
    )
    .option(
      '--give-up-after <minutes>',
      'how long to wait for a registry that does not answer',
      positiveNumber,
      30,
    )
    .option(
      '--async',
      `send without waiting and collect the outcomes through the change feed (default above ${ASYNC_ABOVE} certificates)`,
    )
    .option('--no-async', 'wait for the outcome of each certificate')
    .option('--renew-ids', 'send certificates that have changed since as <id>.r2')
    .option('--force', 'set a journal aside that does not fit, and begin a new one')
    .option('--report <file>', 'write a report at the end: .html or .csv')
    .option('--json', 'print events as NDJSON');
}

function optionsOf(file: string, flags: SendFlags, retryRejected: boolean): SendOptions {
  const { deadline, giveUpAfter, force, renewIds, json, report, ...others } = flags;
  if (report !== undefined)
    requireOutput(requireReportName(report), file, journalOf(file, flags.journal));
  return {
    ...others,
    deadlineSeconds: deadline,
    giveUpAfterSeconds: giveUpAfter * 60,
    force: force === true,
    renewIds: renewIds === true,
    json: json === true,
    retryRejected,
    report,
  };
}

function batchName(text: string): string {
  const { error } = BatchName.safeParse(text);
  if (error !== undefined) throw new InvalidArgumentError(error.issues[0]?.message ?? '');
  return text;
}

function batchContextOf({
  console,
  client,
  credentials,
  baseUrl,
  signal,
}: CommandContext): BatchContext {
  return {
    console,
    baseUrl: baseUrl(),
    clientId: credentials().clientId,
    version: API_VERSION,
    makeClient: client,
    signal,
  };
}
