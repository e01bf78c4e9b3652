import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../shared/db/prisma.ts';
import { lateWriterIgnored } from '../shared/platform/events.ts';
import type { TakenTransmission } from '../shared/store/intake/processing.ts';
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

// unique violation, foreign key violation (the parent's insert lost), serialization failure, deadlock, lock time-out
const CONFLICT_STATES = new Set(['23505', '23503', '40001', '40P01', '55P03']);

/** Another transaction committed first. With fresh facts the decision may be different. */
function isConflict(error: unknown): boolean {
  const isKnown = error instanceof ReservationRefused || error instanceof StaleRead;
  return isKnown || CONFLICT_STATES.has(sqlState(error) ?? '');
}

/**
 * Repeats a decision while it conflicts with other transactions, at most `triesMax` times. Each attempt reads its facts again
 * and receives the error of the previous attempt. Rejects with the last error, or at once with an error that is no conflict.
 */
export async function retryOnConflict<Result>(
  triesMax: number,
  attempt: (previous: unknown) => Promise<Result>,
): Promise<Result> {
  let previous: unknown;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(previous);
    } catch (error) {
      if (tries >= triesMax || !isConflict(error)) throw error;
      previous = error;
      // The random pause keeps competing workers from meeting again.
      await sleep(Math.random() * Math.min(PAUSE_MS * 2 ** (tries - 1), PAUSE_MS_MAX));
    }
  }
}

/** Handles a transmission whose processing failed because of a fault of the service. */
export type OnFailure = (transmission: TakenTransmission, error: unknown) => Promise<void>;

/** A worker that lost the fence drops its result. Every other error is a fault. */
export async function handleError(
  context: WorkerContext,
  transmission: TakenTransmission,
  error: unknown,
  onFailure: OnFailure,
): Promise<void> {
  if (!(error instanceof FenceLost)) return onFailure(transmission, error);
  const { id, requestId } = transmission;
  lateWriterIgnored(context, { transmissionId: id, requestId });
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
