import type { JobData } from '../shared/queue/job.ts';
import { type Claim, type ClaimedTransmission, claim } from '../shared/store/intake/claim.ts';
import { rankNextChanges } from '../shared/store/intake/fair-rank.ts';
import { changeRecord } from './change.ts';
import type { WorkerContext } from './context.ts';
import { registerBatch } from './register.ts';
import { failureReason, retryLater } from './retry-policy.ts';
import { withScenarios } from './scenarios.ts';
import { handOff, wakeAnother } from './wake-others.ts';

/** The most certificates that one transaction commits. */
export const BATCH_TRANSMISSIONS_MAX = 50;
/** The most vehicles: four of the largest certificates commit faster together than alone. */
export const BATCH_VEHICLES_MAX = 2_000;

/**
 * Handles one job: claims its transmission and waiting ones by fair rank, carries each to its terminal status, and claims again
 * until nothing waits. So one job may stand for several transmissions, and a job that is delivered twice finds nothing to claim.
 * Never rejects: a transmission that fails is retried through its row.
 */
export async function drain(context: WorkerContext, { id }: JobData): Promise<void> {
  let batch = await claimBatch(context, id);
  while (batch.claimed.length > 0) {
    // The job of this transmission may have found it locked by the claim.
    if (batch.leftId !== null) await wakeAnother(context, { id: batch.leftId });
    await processBatch(context, batch.claimed);
    if (context.isStopping()) return handOff(context);
    batch = await claimBatch(context, undefined);
  }
}

/** Claims nothing if the database is out of reach: the sweeper enqueues the transmission again. */
async function claimBatch(context: WorkerContext, id: string | undefined): Promise<Claim> {
  try {
    return await claim(context.db, id, {
      leaseSeconds: context.config.leaseSeconds,
      transmissionsMax: BATCH_TRANSMISSIONS_MAX,
      vehiclesMax: BATCH_VEHICLES_MAX,
    });
  } catch (error) {
    context.logger.warn(
      { transmissionId: id, reason: failureReason(error) },
      'transmissions could not be claimed; the sweeper will enqueue them again',
    );
    return { claimed: [], leftId: null };
  }
}

async function processBatch(
  context: WorkerContext,
  claimed: readonly ClaimedTransmission[],
): Promise<void> {
  const endBatch = context.stats.startBatch();
  const onFailure = (transmission: ClaimedTransmission, error: unknown) =>
    retryLater(context, transmission, error);
  for (const run of runsOf(await withScenarios(context, claimed, onFailure))) {
    const [first] = run;
    if (first?.kind === 'CREATE') {
      await registerBatch(context, run, onFailure);
    } else if (first !== undefined) {
      await changeRecord(context, first, onFailure);
      await admitNextChange(context, first);
    }
  }
  endBatch();
}

/** Splits a batch, in its order, into runs of certificates, which are committed together, and single changes of records. */
function runsOf(claimed: readonly ClaimedTransmission[]): ClaimedTransmission[][] {
  const runs: ClaimedTransmission[][] = [];
  for (const one of claimed) {
    const last = runs.at(-1);
    if (one.kind === 'CREATE' && last?.[0]?.kind === 'CREATE') last.push(one);
    else runs.push([one]);
  }
  return runs;
}

/** Lets the next change of the record be claimed. If this fails, the sweeper does it. */
async function admitNextChange(
  { db, logger }: WorkerContext,
  { id, targetCertificateId }: ClaimedTransmission,
): Promise<void> {
  try {
    if (targetCertificateId !== null) await rankNextChanges(db, [targetCertificateId]);
  } catch (error) {
    logger.warn(
      { transmissionId: id, reason: failureReason(error) },
      'the next change of the record got no rank; the sweeper will give it one',
    );
  }
}
