import type { InFlightLimit } from '../../../in-flight-limit.ts';
import type { Outcome } from '../../../outcome.ts';
import type { RegistryClient } from '../../../registry-client.ts';
import type { BatchSource } from '../../input/batch-source.ts';
import { RequestRefused } from '../../require-data.ts';
import type { SettledLine } from '../journal/journal-lines.ts';
import type { JournalState } from '../journal/read-journal.ts';
import { type Step, type StepOptions, stepOf } from '../plan.ts';
import { settledLineOf } from './settled-line.ts';

export type StepToSend = Extract<Step, { readonly body: unknown }>;

export interface Sending {
  readonly client: RegistryClient;
  readonly limit: InFlightLimit;
  readonly batch: string;
  readonly deadlineSeconds: number;
  /** Starts nothing new; what is in flight ends. */
  readonly signal?: AbortSignal | undefined;
  /** Ends what is in flight. */
  readonly abort?: AbortSignal | undefined;
  readonly onSettled: (...lines: readonly SettledLine[]) => Promise<void>;
}

/** The certificates of the file that are not settled, with one of them in memory at a time. */
export async function* openSteps(
  source: BatchSource,
  state: JournalState,
  options: StepOptions,
): AsyncGenerator<StepToSend> {
  for await (const item of source()) {
    const step = stepOf(item, state, options);
    if (step.kind === 'send' || step.kind === 'collect') yield step;
  }
}

/** Transmits each certificate and waits for its outcome. */
export async function transmitAndWaitForAll(
  steps: AsyncIterable<StepToSend>,
  sending: Sending,
): Promise<void> {
  await forEachInFlight(steps, sending, async ({ named, body }) => {
    const outcome = await withinQuota(() =>
      sending.client.transmitAndWait(body, {
        batch: sending.batch,
        deadlineSeconds: sending.deadlineSeconds,
        signal: sending.abort,
      }),
    );
    await sending.onSettled(settledLineOf(named, outcome));
  });
}

/** Runs `work` for as many items at a time as the limit allows. Throws the first error, after what was in flight has ended. */
export async function forEachInFlight<Item>(
  items: AsyncIterable<Item>,
  { limit, signal }: Pick<Sending, 'limit' | 'signal'>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  for await (const item of items) {
    await limit.enter();
    if (failure !== undefined || signal?.aborted) {
      limit.leave();
      break;
    }
    const one = work(item)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        limit.leave();
        running.delete(one);
      });
    running.add(one);
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}

/** Refused to the client, whatever it sends. */
const CLIENT_REFUSED: readonly string[] = [
  'INVALID_TOKEN',
  'INVALID_CREDENTIALS',
  'INVALID_SIGNATURE',
  'TIMESTAMP_OUT_OF_RANGE',
  'IP_NOT_ALLOWED',
];

/**
 * Tries again at once after 429, because the client has already waited as long as Retry-After says. Throws RequestRefused when the
 * next request would be refused as well, so that a batch with revoked credentials stops.
 */
export async function withinQuota<Answer extends Outcome<object, object>>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const outcome = await send();
    if (!outcome.ok && CLIENT_REFUSED.includes(outcome.error.code)) {
      throw new RequestRefused(outcome);
    }
    if (outcome.error?.code !== 'RATE_LIMITED') return outcome;
  }
}
