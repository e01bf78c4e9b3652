import { daysBetween } from '../../../shared/domain/calendar.ts';
import { groupBy } from '../../../shared/domain/group-by.ts';
import type { MovableClock } from '../../../shared/platform/clock.ts';
import { type ReceivedTransmission, receive } from '../../../shared/store/intake/receive.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { drain } from '../../../worker/drain.ts';
import { makePastDay, type PastDay, type SoundCertificate } from './past-certificates.ts';
import { planChanges } from './past-changes.ts';
import { type Burst, isWeekend, startOfDay } from './plan-bursts.ts';
import { certificateReceived, changeReceived, requireTarget, type Senders } from './receive-at.ts';

/** A worker whose clock the writer moves. */
export interface PastWorker {
  readonly context: WorkerContext;
  readonly clock: MovableClock;
  readonly senders: Senders;
}

/** The time between two transmissions of a burst. */
const SPACING_MS = 140;
/** Changes arrive in the evening, one after another. */
const CHANGES_HOUR = 19;
const CHANGE_EVERY_MS = 3 * 60_000;
const CHANGE_TAKES_MS = 180;
const HOUR_MS = 3_600_000;
const WORKING_DAYS_OF_WEEK = 5;

/** Receives every burst and lets the worker process it, at its moment. Returns the number of transmissions. */
export async function writeRecords(
  worker: PastWorker,
  bursts: readonly Burst[],
  today: string,
): Promise<number> {
  let count = 0;
  let previous: readonly SoundCertificate[] = [];
  let weekly: SoundCertificate | undefined;
  let workingDays = 0;
  for (const [day, own] of groupBy(bursts, (burst) => burst.day)) {
    const daysAgo = daysBetween(day, today);
    const past = makePastDay(day, daysAgo);
    for (const burst of own) count += await writeBurst(worker, past, burst);
    if (isWeekend(day) || daysAgo === 0) continue;
    workingDays += 1;
    const repeated = workingDays % WORKING_DAYS_OF_WEEK === 0 ? weekly : undefined;
    count += await writeChanges(worker, past, previous, repeated);
    previous = past.sound;
    weekly ??= past.sound.at(-1);
  }
  return count;
}

async function writeBurst(
  { context, clock, senders }: PastWorker,
  past: PastDay,
  { client, day, transmissions, receivedAt, finishedAt }: Burst,
): Promise<number> {
  const sender = senders(client);
  const received = Array.from({ length: transmissions }, (_, index) => {
    const beforeLastMs = (transmissions - 1 - index) * SPACING_MS;
    const at = { day, receivedAt: new Date(receivedAt.getTime() - beforeLastMs) };
    return certificateReceived(sender, past.next(client), at);
  });
  clock.moveTo(finishedAt);
  await carryOut(context, received);
  return received.length;
}

async function writeChanges(
  { context, clock, senders }: PastWorker,
  { maker }: PastDay,
  previous: readonly SoundCertificate[],
  weekly: SoundCertificate | undefined,
): Promise<number> {
  const day = maker.run.today;
  const startMs =
    startOfDay(day, context.config.registryTimeZone).getTime() + CHANGES_HOUR * HOUR_MS;
  const planned = planChanges(maker, previous, weekly);
  for (const [index, { client, body, change }] of planned.entries()) {
    const receivedAt = new Date(startMs + index * CHANGE_EVERY_MS);
    const sender = senders(client);
    const target = await requireTarget(context.db, sender, body);
    clock.moveTo(new Date(receivedAt.getTime() + CHANGE_TAKES_MS));
    await carryOut(context, [changeReceived(sender, change, target, { day, receivedAt })]);
  }
  return planned.length;
}

async function carryOut(
  context: WorkerContext,
  received: readonly ReceivedTransmission[],
): Promise<void> {
  await receive(context.db, context.keyring, received);
  const [first] = received;
  if (first !== undefined) await drain(context, { id: first.id });
}
