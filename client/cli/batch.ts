import type { TransmissionBody } from '../../shared/contract/machine/transmission.ts';
import type { RegistryClient } from '../registry-client.ts';
import { type Tally, transmitAll } from '../transmit-all.ts';
import { type BatchSource, makeBatchSource } from './batch-source.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { type OutcomeFile, openOutcomeFile } from './outcome-file.ts';
import { makeProgress } from './progress.ts';
import type { Console } from './report.ts';

export interface BatchOptions {
  readonly outcomes?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly deadlineSeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const CHANGED_SHOWN_MAX = 20;

/**
 * Transmits a file and appends each outcome to a file beside it. Run again after an interruption, it goes on where it
 * stood. Reads the whole file first, so that a broken line is known before anything is sent. Returns the exit code.
 */
export async function runBatch(
  console: Console,
  client: RegistryClient,
  file: string,
  { outcomes = `${file}.outcomes.ndjson`, concurrency, deadlineSeconds, signal }: BatchOptions = {},
): Promise<number> {
  const source = makeBatchSource(file);
  const total = await countBodies(source);
  const record = await openOutcomeFile(outcomes);
  try {
    const { earlier, changed } = await tallyOfEarlier(source, record);
    for (const id of changed.slice(0, CHANGED_SHOWN_MAX)) {
      console.say(
        `${id} was settled by an earlier run with another content and is not sent: give the corrected transmission a new externalTransactionId.`,
      );
    }
    if (changed.length > CHANGED_SHOWN_MAX)
      console.say(`${changed.length - CHANGED_SHOWN_MAX} more were changed in the same way.`);
    const known = earlier.accepted + earlier.flagged + earlier.rejected;
    if (known > 0)
      console.say(`${known} of ${total} were settled by an earlier run (${outcomes}).`);
    const progress = makeProgress(total - known - changed.length);
    const own = await transmitAll(client, unsettled(source, record), {
      concurrency,
      deadlineSeconds,
      signal,
      onOutcome: async (body, outcome) => {
        await record.append(body, outcome);
        progress.advance(outcome.error?.code ?? outcome.data?.status);
      },
    }).finally(() => progress.stop());
    const tally = sumOf(earlier, own);
    console.say(
      `${Object.entries(tally)
        .map(([end, count]) => `${end} ${count}`)
        .join(
          ', ',
        )}${changed.length > 0 ? `, changed ${changed.length}` : ''}. Outcomes: ${outcomes}`,
    );
    if (signal?.aborted) console.say('Interrupted: run it again to go on.');
    if (signal?.aborted) return EXIT_CODES.interrupted;
    return changed.length > 0 ? EXIT_CODES.refused : exitCodeOf(tally);
  } finally {
    await record.close();
  }
}

function exitCodeOf(tally: Tally): number {
  if (tally.rejected + tally.failed > 0) return EXIT_CODES.refused;
  return tally.inProgress > 0 ? EXIT_CODES.inProgress : EXIT_CODES.done;
}

async function countBodies(source: BatchSource): Promise<number> {
  let count = 0;
  for await (const _ of source()) count += 1;
  return count;
}

/** What earlier runs settled of the file, and the ids whose content was changed since. */
async function tallyOfEarlier(
  source: BatchSource,
  record: OutcomeFile,
): Promise<{ earlier: Tally; changed: string[] }> {
  const earlier = { accepted: 0, flagged: 0, rejected: 0, failed: 0, inProgress: 0 };
  const changed: string[] = [];
  for await (const body of source()) {
    const end = record.findSettled(body);
    if (end === 'changed') changed.push(body.externalTransactionId);
    else if (end !== undefined) earlier[end] += 1;
  }
  return { earlier, changed };
}

function sumOf(one: Tally, other: Tally): Tally {
  return {
    accepted: one.accepted + other.accepted,
    flagged: one.flagged + other.flagged,
    rejected: one.rejected + other.rejected,
    failed: one.failed + other.failed,
    inProgress: one.inProgress + other.inProgress,
  };
}

async function* unsettled(
  source: BatchSource,
  record: OutcomeFile,
): AsyncGenerator<TransmissionBody> {
  for await (const body of source()) {
    if (record.findSettled(body) === undefined) yield body;
  }
}
