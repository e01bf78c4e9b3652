import type { Outcome } from '../shared/domain/registration/plan-registration.ts';
import { concatWrites } from '../shared/domain/registration/writes.ts';
import { batchSettled, transmissionSettled } from '../shared/platform/events.ts';
import type { ClaimedTransmission } from '../shared/store/intake/claim.ts';
import { type Batch, commitBatch } from '../shared/store/registry/commit/commit-batch.ts';
import type { WorkerContext } from './context.ts';
import { failureReason } from './retry-policy.ts';

/** A claimed transmission and its decision. */
export interface Decided {
  readonly transmission: ClaimedTransmission;
  readonly outcome: Outcome;
}

/** Commits decisions in one transaction and announces them. Throws what `commitBatch` throws. */
export async function commitDecided(
  context: WorkerContext,
  decided: readonly Decided[],
): Promise<void> {
  const started = performance.now();
  await commitBatch(context.db, context.keyring, batchOf(context, decided));
  batchSettled(context, {
    transmissions: decided.length,
    tookMs: performance.now() - started,
  });
  await announceFinished(context, decided);
}

/** The rows that decisions write. */
export function batchOf({ clock }: WorkerContext, decided: readonly Decided[]): Batch {
  const completedAt = clock.now();
  return {
    transmissions: decided.map(({ transmission: { id, fence }, outcome }) => ({
      id,
      fence,
      status: outcome.verdict.status,
      acknowledgment: outcome.acknowledgment,
      errorCode: outcome.verdict.errorCode,
      certificateId: outcome.certificateId,
      completedAt,
    })),
    writes: concatWrites(decided.map(({ outcome }) => outcome.writes)),
    changes: decided.flatMap(({ outcome }) => outcome.changes ?? []),
  };
}

/** Runs after the commit: counts, logs, and wakes the waiting requests. A lost notice only delays an answer. */
export async function announceFinished(
  context: WorkerContext,
  decided: readonly Decided[],
): Promise<void> {
  const now = context.clock.now().getTime();
  context.stats.finished(decided.map(({ transmission }) => transmission));
  for (const { transmission, outcome } of decided) {
    transmissionSettled(context, {
      transmissionId: transmission.id,
      requestId: transmission.requestId,
      kind: transmission.kind,
      status: outcome.verdict.status,
      tookMs: now - transmission.receivedAt.getTime(),
    });
  }
  try {
    await context.completions.announce(decided.map(({ transmission }) => transmission.id));
  } catch (error) {
    context.logger.warn(
      { reason: failureReason(error) },
      'finished transmissions could not be announced; the waiting requests will read them later',
    );
  }
}
