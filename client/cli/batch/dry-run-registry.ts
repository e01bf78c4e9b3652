import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { makeInFlightLimit } from '../../in-flight-limit.ts';
import { GaveUp } from '../../transport.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { makeBatchSource } from '../input/batch-source.ts';
import { checkLocally } from './dry-run-local.ts';
import { exitCodeOf } from './exit-code.ts';
import { findRefusal } from './find-refusal.ts';
import { withGrace } from './grace.ts';
import { type Journal, openJournal } from './journal/journal.ts';
import { JOURNAL_FORMAT } from './journal/journal-lines.ts';
import { type BatchOutput, makeBatchOutput } from './output.ts';
import { readFileFacts } from './plan.ts';
import { writeReport } from './report.ts';
import type { BatchContext, SendOptions } from './send.ts';
import { totalsOf } from './totals.ts';
import { forEachInFlight, openSteps, withinQuota } from './transmit/transmit-steps.ts';
import { validatedLineOf } from './validated-line.ts';

/**
 * Asks the registry what the transmission of each certificate would lead to (D38), after the checks on this machine have found
 * nothing. Nothing is registered and the journal of the batch is neither read nor written. Returns the exit code.
 */
export async function checkAtRegistry(
  context: BatchContext,
  file: string,
  options: SendOptions,
): Promise<number> {
  const local = await checkLocally(context.console, file, options.encoding, options.json);
  if (local !== EXIT_CODES.done) return local;
  const refusal = await findRefusal(context);
  if (refusal !== undefined) return refusal;
  // The outcomes are kept like those of a batch, so that the report is the same.
  const folder = mkdtempSync(join(tmpdir(), 'registry-dry-run-'));
  try {
    const outcomes = await openJournal(join(folder, 'outcomes.ndjson'));
    return await checkInto(outcomes, context, file, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkInto(
  outcomes: Journal,
  context: BatchContext,
  file: string,
  options: SendOptions,
): Promise<number> {
  const { console, signal } = context;
  const output = makeBatchOutput(console, options.json);
  try {
    output.start(await begin(outcomes, context, file, options));
    await askForEach(outcomes, output, context, file, options);
    return exitCodeOf(outcomes.state, signal);
  } catch (error) {
    if (signal?.aborted) return EXIT_CODES.interrupted;
    if (!(error instanceof GaveUp)) throw error;
    output.say(error.message);
    return EXIT_CODES.gaveUp;
  } finally {
    output.stop();
    await outcomes.close();
    output.end(totalsOf(outcomes.state));
    output.say('This was a dry run: nothing was registered.');
    if (options.report !== undefined) await writeReport(outcomes.file, options.report);
  }
}

/** Returns the number of certificates. */
async function begin(
  outcomes: Journal,
  { baseUrl, clientId, version }: BatchContext,
  file: string,
  { encoding }: SendOptions,
): Promise<number> {
  const source = makeBatchSource(file, encoding);
  const { sha256, size, total } = await readFileFacts(file, source);
  await outcomes.append({
    type: 'header',
    format: JOURNAL_FORMAT,
    file: basename(file),
    batch: 'dry run, nothing was registered',
    at: new Date().toISOString(),
    sha256,
    size,
    total,
    baseUrl,
    clientId,
    version,
  });
  return total;
}

async function askForEach(
  outcomes: Journal,
  output: BatchOutput,
  { makeClient, signal }: BatchContext,
  file: string,
  options: SendOptions,
): Promise<void> {
  const limit = makeInFlightLimit(options.concurrency);
  const client = makeClient({
    giveUpAfterSeconds: options.giveUpAfterSeconds,
    // What is in flight at an interruption ends by itself.
    signal: undefined,
    onAttempt: (attempt) => {
      limit.observe(attempt);
      output.attempted(attempt);
    },
  });
  const steps = openSteps(makeBatchSource(file, options.encoding), outcomes.state, options);
  await withGrace(signal, (abort) =>
    forEachInFlight(steps, { limit, signal }, async ({ named, body }) => {
      const outcome = await withinQuota(() => client.validate(body, { signal: abort }));
      const line = validatedLineOf(named, outcome);
      await outcomes.append(line);
      output.settled(line);
    }),
  );
}
