import type { Outcome } from '../shared/domain/plan-registration.ts';
import { concatWrites, type RegistryWrites } from '../shared/domain/writes.ts';
import type { Clock } from '../shared/platform/clock.ts';
import { batchSettled, transmissionSettled } from '../shared/platform/events.ts';
import type { Db, Tx } from '../shared/store/db.ts';
import type { TakenTransmission } from '../shared/store/processing.ts';
import { settle, settleWithin } from '../shared/store/settle.ts';
import type { Settlement } from '../shared/store/settlement-rows.ts';
import type { WorkerContext } from './context.ts';
import { failureReason } from './failure-reason.ts';

export interface Decided {
  readonly transmission: TakenTransmission;
  readonly outcome: Outcome;
}

/** Settles in a transaction of its own. Throws ClaimsRefused, FactsChanged, FenceLost or the database's error. */
export async function settleDecided(
  db: Db,
  { clock, keyring }: Pick<WorkerContext, 'clock' | 'keyring'>,
  decided: readonly Decided[],
): Promise<void> {
  await settle(db, keyring, settlementsOf(clock, decided), writesOf(decided));
}

/** The same inside a transaction, which must end when it throws. */
export async function settleDecidedWithin(
  tx: Tx,
  { clock, keyring }: Pick<WorkerContext, 'clock' | 'keyring'>,
  decided: readonly Decided[],
): Promise<void> {
  await settleWithin(tx, keyring, settlementsOf(clock, decided), writesOf(decided));
}

function settlementsOf(clock: Clock, decided: readonly Decided[]): Settlement[] {
  const completedAt = clock.now();
  return decided.map(({ transmission, outcome }) => ({
    id: transmission.id,
    fence: transmission.fence,
    status: outcome.verdict.status,
    acknowledgmentJson: JSON.stringify(outcome.acknowledgment),
    errorCode: outcome.verdict.errorCode,
    certificateId: outcome.certificateId,
    completedAt,
  }));
}

function writesOf(decided: readonly Decided[]): RegistryWrites {
  return concatWrites(decided.map(({ outcome }) => outcome.writes));
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
  await settleDecided(context.db, context, decided);
  batchSettled(context, {
    transmissions: decided.length,
    tookMs: performance.now() - started,
  });
  await announceSettled(context, decided);
}
