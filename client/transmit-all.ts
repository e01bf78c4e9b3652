import type { TransmissionBody } from '../shared/contract/machine/transmission.ts';
import type { RegistryClient, SubmissionOutcome } from './registry-client.ts';

export const CONCURRENCY_DEFAULT = 8;

export interface TransmitAllOptions {
  /** Number of transmissions that are in flight, and so in memory, at a time. */
  readonly concurrency?: number | undefined;
  readonly deadlineSeconds?: number | undefined;
  /** Awaited before the next transmission of the same lane starts. `index` counts from 0 in the order of the source. */
  readonly onOutcome?: (
    body: TransmissionBody,
    outcome: SubmissionOutcome,
    index: number,
  ) => void | Promise<void>;
  /** Stops after the transmissions that are in flight. */
  readonly signal?: AbortSignal | undefined;
}

/** Number of transmissions by outcome. `failed`: refused without a verdict. `inProgress`: no verdict before the deadline. */
export interface Tally {
  readonly accepted: number;
  readonly flagged: number;
  readonly rejected: number;
  readonly failed: number;
  readonly inProgress: number;
}

/**
 * Transmits a source of any length in bounded memory and waits for each outcome. An exhausted quota slows it down but never
 * makes it fail. At the first TransportError it waits for the transmissions in flight and then throws the error.
 * Sending the same source again is safe and cheap: registered transmissions are answered as replays.
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
      const outcome = await transmitWithinQuota(client, value, deadlineSeconds);
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

/** Retries at once after 429, because the client has already waited as long as Retry-After says. */
async function transmitWithinQuota(
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
