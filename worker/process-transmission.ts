import { smallShareFirst } from '../shared/domain/registration/grouping.ts';
import { transmissionParked, transmissionRetried } from '../shared/platform/events.ts';
import type { JobData } from '../shared/queue/job.ts';
import {
  findLongestWaiting,
  giveBack,
  type TakenTransmission,
  type Taking,
  take,
} from '../shared/store/intake/processing.ts';
import { changeRecord } from './change.ts';
import type { WorkerContext } from './context.ts';
import { registerBatch } from './register.ts';
import { failureReason, type OnFailure } from './retry-policy.ts';

/** Under backlog so many new certificates are settled in one transaction; idle, it is one. */
export const BATCH_TRANSMISSIONS_MAX = 50;
/** Of so many vehicles: four of the largest certificates settle faster together than each alone. */
export const BATCH_VEHICLES_MAX = 2_000;
/** Pauses after faults of ours, seconds; one more fault parks the transmission. */
export const RETRY_PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60, 60, 60] as const;

/**
 * Handles one wake-up: takes the transmission and, under backlog, others that wait, and carries each to its
 * terminal status; goes on while others wait. Never rejects: what fails is tried again by its row. A job delivered
 * twice finds nothing to take.
 */
export async function processTransmission(context: WorkerContext, { id }: JobData): Promise<void> {
  if (context.tally.isSettled(id)) return;
  if (await handleBatch(context, id)) await context.tally.goOn(() => takeOthers(context));
}

async function takeOthers(context: WorkerContext): Promise<void> {
  for (;;) {
    if (context.isStopping()) return passOn(context);
    if (!(await handleBatch(context, undefined))) return;
  }
}

/** True when others may wait. */
async function handleBatch(context: WorkerContext, id: string | undefined): Promise<boolean> {
  let mayGoOn = false;
  await context.batches.handle(
    async (except) => {
      const isBeside = except.length > 0;
      const taking = await takeSafely(context, isBeside ? undefined : id, except);
      mayGoOn ||= taking.mayGoOn;
      const { taken, isAll } = taking;
      const turns = smallShareFirst(taken);
      const batch = {
        isPart: isAll && taken.length > 1,
        hasSmallShare: turns.length > 1 || (isBeside && isAll),
        organizationIds: [...new Set(turns.at(-1)?.map(({ organizationId }) => organizationId))],
      };
      return { turns, batch: taken.length === 0 ? undefined : batch };
    },
    ({ turns }) => settleTaken(context, turns),
  );
  return mayGoOn;
}

/** Nothing when the database is out of reach: the sweeper sends the transmission again. */
async function takeSafely(
  context: WorkerContext,
  id: string | undefined,
  exceptOrganizationIds: readonly string[],
): Promise<Taking> {
  try {
    return await take(context.db, id, {
      exceptOrganizationIds,
      leaseSeconds: context.config.leaseSeconds,
      transmissionsMax: BATCH_TRANSMISSIONS_MAX,
      vehiclesMax: BATCH_VEHICLES_MAX,
    });
  } catch (error) {
    context.logger.warn(
      { transmissionId: id, reason: failureReason(error) },
      'a transmission could not be taken; the sweeper sends it again',
    );
    return { taken: [], mayGoOn: false, isAll: true };
  }
}

async function settleTaken(
  context: WorkerContext,
  turns: readonly (readonly TakenTransmission[])[],
): Promise<void> {
  context.tally.took();
  const onFailure: OnFailure = (transmission, error) => tryAgainLater(context, transmission, error);
  for (const turn of turns) {
    const certificates = turn.filter(({ kind }) => kind === 'CREATE');
    if (certificates.length > 0) await registerBatch(context, certificates, onFailure);
    for (const change of turn) {
      if (change.kind !== 'CREATE') await changeRecord(context, change, onFailure);
    }
  }
}

/** Those that wait may have shared the wake-up that this process was given; another one gets it now. */
async function passOn({ db, producer, logger }: WorkerContext): Promise<void> {
  try {
    await producer.enqueue(await findLongestWaiting(db));
  } catch (error) {
    logger.warn(
      { reason: failureReason(error) },
      'a wake-up could not be passed on; the sweeper sends it again',
    );
  }
}

/** A fault of ours never becomes REJECTED (D2). Should even this write fail, the lease ends by itself. */
async function tryAgainLater(
  context: WorkerContext,
  { id, fence, failures, requestId }: TakenTransmission,
  error: unknown,
): Promise<void> {
  const reason = failureReason(error);
  const pauseSeconds = RETRY_PAUSES_SECONDS[failures];
  const details = { transmissionId: id, requestId, attempt: failures + 1, err: reason };
  if (pauseSeconds === undefined) transmissionParked(context, details);
  else transmissionRetried(context, { ...details, retryInMs: pauseSeconds * 1_000 });
  try {
    await giveBack(context.db, { id, fence, reason, retryInSeconds: pauseSeconds });
  } catch (cause) {
    context.logger.warn(
      { transmissionId: id, reason: failureReason(cause) },
      'a transmission could not be given back; its lease ends by itself',
    );
  }
}
