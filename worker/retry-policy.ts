import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../shared/db/prisma.ts';
import {
  type CommitConflict,
  commitConflicted,
  lateWriterIgnored,
  transmissionParked,
  transmissionRetried,
} from '../shared/platform/events.ts';
import type { ClaimedTransmission } from '../shared/store/intake/claim.ts';
import { releaseForRetry } from '../shared/store/intake/release.ts';
import { FenceLost, StaleRead } from '../shared/store/registry/commit/read-set.ts';
import { ReservationRefused } from '../shared/store/registry/commit/reserve-identifiers.ts';
import type { WorkerContext } from './context.ts';

/**
 * Attempts at one decision while other transactions change its facts. Then it counts as a fault. Each lost attempt means that
 * another transmission was committed, and of many certificates of one vehicle all but one lose each time.
 */
export const CONFLICT_TRIES_MAX = 20;
/** The pause after the first attempt; it doubles with each attempt up to the maximum. */
const PAUSE_MS = 10;
const PAUSE_MS_MAX = 300;

/** The SQLSTATEs of conflicts. A foreign key is violated if the transaction that inserts the other row is rolled back. */
const CONFLICT_STATES: Readonly<Record<string, CommitConflict>> = {
  '23503': 'missing_reference',
  '23505': 'unique_violation',
  '40001': 'serialization_failure',
  '40P01': 'deadlock',
  '55P03': 'lock_timeout',
};

/** Undefined unless another transaction committed first. With fresh facts the decision may be different. */
function conflictOf(error: unknown): CommitConflict | undefined {
  if (error instanceof ReservationRefused) return 'reservation_refused';
  if (error instanceof StaleRead) return 'stale_read';
  return CONFLICT_STATES[sqlState(error) ?? ''];
}

/**
 * Repeats a decision while it conflicts with other transactions, at most `triesMax` times. Each attempt reads its facts again
 * and receives the error of the previous attempt. Rejects with the last error, or at once with an error that is no conflict.
 */
export async function retryOnConflict<Result>(
  context: WorkerContext,
  triesMax: number,
  attempt: (previous: unknown) => Promise<Result>,
): Promise<Result> {
  let previous: unknown;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(previous);
    } catch (error) {
      const conflict = conflictOf(error);
      if (conflict !== undefined) commitConflicted(context, conflict);
      if (conflict === undefined || tries >= triesMax) throw error;
      previous = error;
      // The random pause keeps competing workers from meeting again.
      await sleep(Math.random() * Math.min(PAUSE_MS * 2 ** (tries - 1), PAUSE_MS_MAX));
    }
  }
}

/** Pauses before retries after faults of the service, seconds. The fault after the last pause parks the transmission. */
export const RETRY_PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60, 60, 60] as const;

/** Handles a transmission whose processing failed because of a fault of the service. */
export type OnFailure = (transmission: ClaimedTransmission, error: unknown) => Promise<void>;

/** A worker that lost the fence drops its result. Every other error is a fault. */
export async function handleError(
  context: WorkerContext,
  transmission: ClaimedTransmission,
  error: unknown,
  onFailure: OnFailure,
): Promise<void> {
  if (!(error instanceof FenceLost)) return onFailure(transmission, error);
  const { id, requestId } = transmission;
  lateWriterIgnored(context, { transmissionId: id, requestId });
}

/** A fault of the service never becomes REJECTED (D2). If this write fails too, the lease ends by itself. */
export async function retryLater(
  context: WorkerContext,
  { id, fence, failures, requestId }: ClaimedTransmission,
  error: unknown,
): Promise<void> {
  const reason = failureReason(error);
  const pauseSeconds = RETRY_PAUSES_SECONDS[failures];
  const details = { transmissionId: id, requestId, attempt: failures + 1, err: reason };
  if (pauseSeconds === undefined) transmissionParked(context, details);
  else transmissionRetried(context, { ...details, retryInMs: pauseSeconds * 1_000 });
  try {
    await releaseForRetry(context.db, { id, fence, reason, retryInSeconds: pauseSeconds });
  } catch (cause) {
    context.logger.warn(
      { transmissionId: id, reason: failureReason(cause) },
      'a transmission could not be released for a retry; its lease ends by itself',
    );
  }
}

const REASON_CHARACTERS_MAX = 300;

/** Data exceptions and constraint violations. PostgreSQL quotes values in their messages (D22). */
const QUOTES_VALUES = /^2[23]/;

/** Describes a fault for the log and the staff, without the values that a message of the database may quote. */
export function failureReason(error: unknown): string {
  const state = sqlState(error);
  const text = error instanceof Error ? `${error.name}: ${lastLine(error.message)}` : typeof error;
  if (state === undefined) return withoutQuotes(text).slice(0, REASON_CHARACTERS_MAX);
  const safe = QUOTES_VALUES.test(state) ? withoutQuotes(text) : text;
  return `SQLSTATE ${state}: ${safe}`.slice(0, REASON_CHARACTERS_MAX);
}

function withoutQuotes(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'|`[^`]*`|\([^()]*\)=\([^()]*\)/g, '…');
}

function lastLine(message: string): string {
  return message.trim().split('\n').at(-1) ?? '';
}
