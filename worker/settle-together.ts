import type { Outcome } from '../shared/domain/plan-registration.ts';
import { concatWrites } from '../shared/domain/writes.ts';
import { batchSettled, transmissionSettled } from '../shared/platform/events.ts';
import type { Tx } from '../shared/store/db.ts';
import type { TakenTransmission } from '../shared/store/processing.ts';
import { claimCoverage, holdFacts, writeSettlements } from '../shared/store/settle.ts';
import type { WorkerContext } from './context.ts';
import { failureReason } from './failure-reason.ts';

export interface Decided {
  readonly transmission: TakenTransmission;
  readonly outcome: Outcome;
}

/**
 * Inside a transaction: the claims first, then the terminal statuses with every other row. Throws
 * ClaimsRefused, FenceLost or the database's error; the transaction must then end.
 */
export async function writeDecided(
  tx: Tx,
  { clock, keyring }: Pick<WorkerContext, 'clock' | 'keyring'>,
  decided: readonly Decided[],
): Promise<void> {
  const writes = concatWrites(decided.map(({ outcome }) => outcome.writes));
  await holdFacts(tx, writes.reliesOn);
  await claimCoverage(tx, writes);
  const completedAt = clock.now();
  await writeSettlements(
    tx,
    keyring,
    decided.map(({ transmission, outcome }) => ({
      id: transmission.id,
      fence: transmission.fence,
      status: outcome.verdict.status,
      acknowledgmentJson: JSON.stringify(outcome.acknowledgment),
      errorCode: outcome.verdict.errorCode,
      certificateId: outcome.certificateId,
      completedAt,
    })),
    writes,
  );
}

/** After the commit: counts, log lines, and the notice to who waits. A lost notice delays an answer, nothing more. */
export async function announceSettled(
  context: WorkerContext,
  decided: readonly Decided[],
): Promise<void> {
  const now = context.clock.now().getTime();
  const ids = decided.map(({ transmission }) => transmission.id);
  context.tally.settled(ids);
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
    await context.completions.announce(ids);
  } catch (error) {
    context.logger.warn(
      { reason: failureReason(error) },
      'settled transmissions could not be announced; who waits will see them a little later',
    );
  }
}

export async function settleTogether(
  context: WorkerContext,
  decided: readonly Decided[],
): Promise<void> {
  const started = performance.now();
  await context.db.$transaction((tx) => writeDecided(tx, context, decided));
  batchSettled(context, {
    transmissions: decided.length,
    tookMs: performance.now() - started,
  });
  await announceSettled(context, decided);
}
