import type { TransmissionBody } from '../shared/contract/machine/transmission.ts';
import type { RegistryClient, SubmissionOutcome } from './registry-client.ts';

export const CONCURRENCY_DEFAULT = 8;

export interface TransmitAllOptions {
  /** Transmissions under way at a time, and so in memory. */
  readonly concurrency?: number | undefined;
  readonly deadlineSeconds?: number | undefined;
  /** Awaited: the next transmission of the same lane starts after it. `index` counts from 0 in the order of the source. */
  readonly onOutcome?: (
    body: TransmissionBody,
    outcome: SubmissionOutcome,
    index: number,
  ) => void | Promise<void>;
  /** Ends the work after what is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** How many ended how. `failed` was refused without a verdict on it, `inProgress` had none before the deadline. */
export interface Tally {
  readonly accepted: number;
  readonly flagged: number;
  readonly rejected: number;
  readonly failed: number;
  readonly inProgress: number;
}

/**
 * Transmits a source of any length in bounded memory and waits for each outcome. A quota that is used up slows the work
 * down and never fails it. Stops at the first TransportError and throws it, after what was under way has ended.
 * Sending the same source again is safe and cheap: what was registered is answered as a replay.
 */
export async function transmitAll(
  client: RegistryClient,
  bodies: Iterable<TransmissionBody> | AsyncIterable<TransmissionBody>,
  {
    concurrency = CONCURRENCY_DEFAULT,
    deadlineSeconds,
    onOutcome,
    signal,
  }: TransmitAllOptions = {},
): Promise<Tally> {
  const tally = { accepted: 0, flagged: 0, rejected: 0, failed: 0, inProgress: 0 };
  const source = iterate(bodies);
  let index = 0;
  let failure: { readonly error: unknown } | undefined;

  async function work(): Promise<void> {
    while (failure === undefined && !signal?.aborted) {
      const { done, value } = await source.next();
      if (done) return;
      const position = index++;
      const outcome = await transmitPatiently(client, value, deadlineSeconds);
      tally[endOf(outcome)] += 1;
      await onOutcome?.(value, outcome, position);
    }
  }

  const lanes = Array.from({ length: Math.max(1, concurrency) }, () =>
    work().catch((error: unknown) => {
      failure ??= { error };
    }),
  );
  await Promise.all(lanes);
  // Lets a source that reads a file close it.
  await source.return?.(undefined);
  if (failure !== undefined) throw failure.error;
  return tally;
}

/** The client has already waited as Retry-After says each time it gave up. */
async function transmitPatiently(
  client: RegistryClient,
  body: TransmissionBody,
  deadlineSeconds: number | undefined,
): Promise<SubmissionOutcome> {
  for (;;) {
    const outcome = await client.transmitAndWait(body, { deadlineSeconds });
    if (outcome.error?.code !== 'RATE_LIMITED') return outcome;
  }
}

export function endOf(outcome: SubmissionOutcome): keyof Tally {
  if (outcome.ok) return outcome.data.status === 'FLAGGED' ? 'flagged' : 'accepted';
  if (outcome.error.code === 'TRANSMISSION_IN_PROGRESS') return 'inProgress';
  return outcome.status === 422 ? 'rejected' : 'failed';
}

function iterate<Item>(source: Iterable<Item> | AsyncIterable<Item>): AsyncIterator<Item> {
  return (async function* () {
    yield* source;
  })();
}
