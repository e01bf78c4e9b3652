import { renameSync } from 'node:fs';
import { basename } from 'node:path';
import { makeInFlightLimit } from '../../in-flight-limit.ts';
import type { RegistryClient } from '../../registry-client.ts';
import { GaveUp, type TransportOptions } from '../../transport.ts';
import { EXIT_CODES, JournalMisfit } from '../exit-codes.ts';
import { type BatchSource, makeBatchSource } from '../input/batch-source.ts';
import type { Encoding } from '../input/read-text.ts';
import type { Console } from '../report.ts';
import { RequestRefused } from '../require-data.ts';
import { exitCodeOf } from './exit-code.ts';
import { findRefusal } from './find-refusal.ts';
import { withGrace } from './grace.ts';
import { type Journal, openJournal } from './journal/journal.ts';
import {
  isVerdict,
  JOURNAL_FORMAT,
  type SentLine,
  type SettledLine,
} from './journal/journal-lines.ts';
import { keepOutcome } from './journal/read-journal.ts';
import { type BatchOutput, makeBatchOutput } from './output.ts';
import { batchNameOf, type FileFacts, findMisfit, readFileFacts } from './plan.ts';
import { writeReport } from './report.ts';
import { recordRemoved, requireUniqueSentIds, type Survey, survey } from './survey.ts';
import { totalsOf } from './totals.ts';
import { transmitAndCollectAll } from './transmit/transmit-async.ts';
import { openSteps, transmitAndWaitForAll } from './transmit/transmit-steps.ts';

export interface BatchContext {
  readonly console: Console;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly version: string;
  readonly makeClient: (options?: TransportOptions) => RegistryClient;
  readonly signal?: AbortSignal | undefined;
}

export interface SendOptions {
  readonly encoding: Encoding;
  readonly journal?: string | undefined;
  readonly batch?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly deadlineSeconds: number;
  readonly giveUpAfterSeconds: number;
  /** Collect the outcomes through the change feed. Default: for more than {@link ASYNC_ABOVE} certificates. */
  readonly async?: boolean | undefined;
  readonly force: boolean;
  readonly renewIds: boolean;
  readonly retryRejected: boolean;
  readonly report?: string | undefined;
  readonly json: boolean;
}

export const ASYNC_ABOVE = 1_000;
const CHANGED_SHOWN_MAX = 20;

export function journalOf(file: string, journal?: string): string {
  return journal ?? `${file}.journal.ndjson`;
}

/**
 * Transmits the certificates of a file and keeps a journal, from which another run resumes (D42). Reads the whole file first,
 * so that a row that cannot be sent is reported before anything is sent. Returns the exit code.
 */
export async function sendBatch(
  context: BatchContext,
  file: string,
  options: SendOptions,
): Promise<number> {
  const { console, signal } = context;
  const source = makeBatchSource(file, options.encoding);
  const journalFile = journalOf(file, options.journal);
  const facts = await readFileFacts(file, source);
  const refusal = await findRefusal(context);
  if (refusal !== undefined) return refusal;

  const output = makeBatchOutput(console, options.json);
  const journal = await openFittingJournal(journalFile, context, { facts, source }, options);
  try {
    const { left, changed, renewed, removed } = await survey(source, journal.state, options);
    if (changed.length > 0) return refuseChanged(output, changed);
    await requireUniqueSentIds(source, renewed);
    await beginRun(journal, context, file, facts, options);
    await recordRemoved(journal, removed);
    output.start(left, facts.total);
    await transmit(context, source, journal, output, {
      ...options,
      async: options.async ?? left > ASYNC_ABOVE,
    });
    return exitCodeOf(journal.state, signal);
  } catch (error) {
    if (signal?.aborted) return EXIT_CODES.interrupted;
    if (error instanceof RequestRefused) {
      output.say('The batch stops. Run it again when the cause is mended, and it sends the rest.');
    }
    if (!(error instanceof GaveUp)) throw error;
    output.say(`${error.message} Run the command again to resume the batch.`);
    return EXIT_CODES.gaveUp;
  } finally {
    output.stop();
    await journal.close();
    await finish(journal, output, options, signal);
  }
}

async function openFittingJournal(
  journalFile: string,
  context: BatchContext,
  { facts, source }: { readonly facts: FileFacts; readonly source: BatchSource },
  { force }: SendOptions,
): Promise<Journal> {
  const journal = await openJournal(journalFile);
  const misfit = await findMisfit(journal.state, facts, source, context);
  if (misfit === undefined) return journal;
  await journal.close();
  if (!force) {
    throw new JournalMisfit(
      `The journal ${journalFile} does not fit: ${misfit}. Name another one with --journal, or pass --force to set it aside and begin a new one.`,
    );
  }
  renameSync(journalFile, `${journalFile}.${Date.now()}`);
  return openJournal(journalFile);
}

function refuseChanged(output: BatchOutput, changed: Survey['changed']): number {
  for (const { named, isInForce } of changed.slice(0, CHANGED_SHOWN_MAX)) {
    const advice = isInForce ? ' The registry has accepted it: amend the record instead.' : '';
    output.say(`Line ${named.line}: ${named.id} has changed since it was sent.${advice}`);
  }
  if (changed.length > CHANGED_SHOWN_MAX) {
    output.say(`${changed.length - CHANGED_SHOWN_MAX} more have changed in the same way.`);
  }
  output.say(
    'The registry keeps the first content under its id. Nothing was sent: give corrected certificates new ids, or pass --renew-ids to send them as <id>.r2.',
  );
  return EXIT_CODES.usage;
}

async function beginRun(
  journal: Journal,
  { baseUrl, clientId, version }: BatchContext,
  file: string,
  { sha256, size, total }: FileFacts,
  { batch }: SendOptions,
): Promise<void> {
  const { header } = journal.state;
  if (header?.sha256 === sha256 && (batch === undefined || batch === header.batch)) return;
  await journal.append({
    type: 'header',
    format: JOURNAL_FORMAT,
    file: basename(file),
    sha256,
    size,
    baseUrl,
    clientId,
    batch: batch ?? header?.batch ?? batchNameOf(file, sha256),
    version,
    total,
    at: new Date().toISOString(),
  });
}

async function transmit(
  { makeClient, signal }: BatchContext,
  source: BatchSource,
  journal: Journal,
  output: BatchOutput,
  options: SendOptions,
): Promise<void> {
  // The time of an answer shows the registry's load only where it does not include the wait for the outcome.
  const limit = makeInFlightLimit(options.concurrency, options.async === true);
  const client = makeClient({
    giveUpAfterSeconds: options.giveUpAfterSeconds,
    // What is in flight at an interruption ends by itself.
    signal: undefined,
    onAttempt: (attempt) => {
      limit.observe(attempt);
      output.attempted(attempt);
    },
  });
  const steps = openSteps(source, journal.state, options);
  await withGrace(signal, (abort) => {
    const sending = {
      client,
      limit,
      batch: journal.state.header?.batch ?? '',
      deadlineSeconds: options.deadlineSeconds,
      signal,
      abort,
      onSent: (line: SentLine) => journal.append(line),
      onSettled: async (...lines: readonly SettledLine[]) => {
        await journal.append(...lines);
        for (const line of lines) {
          if (isVerdict(line.end)) keepOutcome(journal.state, line.id);
          output.settled(line);
        }
      },
    };
    return options.async === true
      ? transmitAndCollectAll(steps, sending)
      : transmitAndWaitForAll(steps, sending);
  });
}

async function finish(
  journal: Journal,
  output: BatchOutput,
  { report }: SendOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  output.end(totalsOf(journal.state));
  output.say(`Journal: ${journal.file}`);
  if (report !== undefined) {
    await writeReport(journal.file, report);
    output.say(`Report: ${report}`);
  }
  if (signal?.aborted) output.say('Interrupted: run the command again to resume the batch.');
}
