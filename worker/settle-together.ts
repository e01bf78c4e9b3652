import type { TerminalStatus } from '../shared/contract/enums.ts';
import type { Outcome } from '../shared/domain/registration/plan-registration.ts';
import { concatWrites } from '../shared/domain/registration/writes.ts';
import { batchSettled, transmissionSettled } from '../shared/platform/events.ts';
import type { TakenTransmission } from '../shared/store/intake/processing.ts';
import type { BorneKeys } from '../shared/store/registry/commit/identifier-key.ts';
import {
  type PreparedSettlement,
  prepareSettlement,
  settle,
} from '../shared/store/registry/commit/settle.ts';
import type { WorkerContext } from './context.ts';
import { failureReason } from './failure-reason.ts';

export interface Decided {
  readonly transmission: TakenTransmission;
  readonly outcome: Outcome;
}

/** How a transmission ends. */
export interface Ending {
  readonly transmission: TakenTransmission;
  readonly status: TerminalStatus;
  readonly certificateId: string | null;
}

export interface PreparedEndings {
  readonly endings: readonly Ending[];
  readonly settlement: PreparedSettlement;
}

/**
 * Of decisions what is still needed while they are settled. What they were made from is the most of a worker's memory: to
 * hold it as long as the database works would make it old, and dear to collect. `keys` are those of the vehicles that were
 * decided about, where they are at hand.
 */
export function prepareEndings(
  { clock, keyring }: Pick<WorkerContext, 'clock' | 'keyring'>,
  decided: readonly Decided[],
  keys?: BorneKeys,
): PreparedEndings {
  const completedAt = clock.now();
  const settlements = decided.map(({ transmission, outcome }) => ({
    id: transmission.id,
    fence: transmission.fence,
    status: outcome.verdict.status,
    acknowledgment: outcome.acknowledgment,
    errorCode: outcome.verdict.errorCode,
    certificateId: outcome.certificateId,
    completedAt,
  }));
  const writes = concatWrites(decided.map(({ outcome }) => outcome.writes));
  return {
    endings: decided.map(({ transmission, outcome: { verdict, certificateId } }) => ({
      transmission,
      status: verdict.status,
      certificateId,
    })),
    settlement: prepareSettlement(keyring, settlements, writes, keys),
  };
}

/** After the commit: counts, log lines, and the notice to who waits. A lost notice delays an answer, nothing more. */
export async function announceSettled(
  context: WorkerContext,
  endings: readonly Ending[],
): Promise<void> {
  const now = context.clock.now().getTime();
  const ids = endings.map(({ transmission }) => transmission.id);
  context.tally.settled(endings.map(({ transmission }) => transmission));
  for (const { transmission, status } of endings) {
    transmissionSettled(context, {
      transmissionId: transmission.id,
      requestId: transmission.requestId,
      kind: transmission.kind,
      status,
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

/** Settles in a transaction of its own. Throws ClaimsRefused, FactsChanged, FenceLost or the database's error. */
export async function settleTogether(
  context: WorkerContext,
  { endings, settlement }: PreparedEndings,
): Promise<void> {
  const started = performance.now();
  await settle(context.db, settlement);
  batchSettled(context, {
    transmissions: endings.length,
    tookMs: performance.now() - started,
  });
  await announceSettled(context, endings);
}
