import { isTerminal } from '../../../../shared/contract/enums.ts';
import { LOOKUP_NAMES_MAX } from '../../../../shared/contract/machine/transmissions/lookup.ts';
import type { SubmissionOutcome } from '../../../registry-client.ts';
import type { Named, SentLine } from '../journal/journal-lines.ts';
import { type Collecting, collectOutcomes, lookUp, readFeedPosition } from './collect.ts';
import { settledLineOf } from './settled-line.ts';
import { forEachInFlight, type Sending, type StepToSend, withinQuota } from './transmit-steps.ts';

export interface AsyncSending extends Sending {
  readonly onSent: (line: SentLine) => Promise<void>;
}

/** Transmits without waiting, and collects the outcomes from the change feed at the same time (D37, D42). */
export async function transmitAndCollectAll(
  steps: AsyncIterable<StepToSend>,
  sending: AsyncSending,
): Promise<void> {
  const { client, onSettled, deadlineSeconds, signal, abort } = sending;
  const stop = new AbortController();
  const collecting: Collecting = {
    client,
    onSettled,
    deadlineSeconds,
    open: new Map(),
    progress: { sent: 0, reads: 0, isDone: false },
    signal: AbortSignal.any([stop.signal, ...(signal ? [signal] : []), ...(abort ? [abort] : [])]),
  };
  const position = await readFeedPosition(collecting);
  let failure: { readonly error: unknown } | undefined;
  const collected = collectOutcomes(collecting, position).catch((error: unknown) => {
    if (!collecting.signal.aborted) failure ??= { error };
    stop.abort();
  });
  try {
    await forEachInFlight(
      stepsToSend(steps, collecting),
      { limit: sending.limit, signal: collecting.signal },
      (step) => transmit(step, sending, collecting),
    );
  } catch (error) {
    failure ??= { error };
    stop.abort();
  }
  collecting.progress.isDone = true;
  await collected;
  if (failure !== undefined) throw failure.error;
}

/** What the registry has received in an earlier run is looked up, and sent again only if the registry does not know it. */
async function* stepsToSend(
  steps: AsyncIterable<StepToSend>,
  collecting: Collecting,
): AsyncGenerator<StepToSend> {
  let received: StepToSend[] = [];
  for await (const step of steps) {
    if (step.kind === 'send') {
      yield step;
      continue;
    }
    received.push(step);
    if (received.length < LOOKUP_NAMES_MAX) continue;
    yield* await findUnknown(received, collecting);
    received = [];
  }
  if (received.length > 0) yield* await findUnknown(received, collecting);
}

async function findUnknown(
  received: readonly StepToSend[],
  collecting: Collecting,
): Promise<StepToSend[]> {
  for (const { named } of received) collecting.open.set(named.sentId, named);
  const unknown = new Set(
    await lookUp(
      collecting,
      received.map(({ named }) => named),
    ),
  );
  for (const { sentId } of unknown) collecting.open.delete(sentId);
  return received.filter(({ named }) => unknown.has(named));
}

async function transmit(
  { named, body }: StepToSend,
  { client, batch, abort, onSent, onSettled }: AsyncSending,
  { open, progress }: Collecting,
): Promise<void> {
  // Before it is sent, because the feed may have its outcome before this request has its answer.
  open.set(named.sentId, named);
  const outcome = await withinQuota(() =>
    client.transmit(body, { waitSeconds: 0, batch, signal: abort }),
  );
  progress.sent += 1;
  const sent = findSent(named, outcome);
  if (sent !== undefined) {
    if (open.has(named.sentId)) await onSent(sent);
    return;
  }
  if (open.delete(named.sentId)) {
    await onSettled(settledLineOf(named, await client.follow(outcome)));
  }
}

/** Undefined when the answer is already the outcome. */
function findSent(named: Named, { data, error }: SubmissionOutcome): SentLine | undefined {
  if (data === null || isTerminal(data.status)) return undefined;
  if (error !== null && error.code !== 'TRANSMISSION_IN_PROGRESS') return undefined;
  const { transmissionReference } = data;
  return { ...named, type: 'sent', transmissionReference, at: new Date().toISOString() };
}
