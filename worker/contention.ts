import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../shared/db/prisma.ts';
import { ClaimsRefused, FactsChanged } from '../shared/store/registry/commit/settle.ts';

/** Tries at one decision while other writers change its facts; then it is a fault like any other. */
export const CONTENTION_TRIES_MAX = 8;
const PAUSE_MS = 5;

// unique violation, foreign key (a parent whose insert lost), serialization failure, deadlock, lock time-out
const CONTENTION_STATES = new Set(['23505', '23503', '40001', '40P01', '55P03']);

/** Another writer was first: with fresh facts the decision is another. */
function isContention(error: unknown): boolean {
  const isKnown = error instanceof ClaimsRefused || error instanceof FactsChanged;
  return isKnown || CONTENTION_STATES.has(sqlState(error) ?? '');
}

/**
 * Runs a decision until no other writer was first, at most `triesMax` times; each try reads its facts anew and
 * learns why the one before failed. Rejects with the last error, or at once with one that is no contention.
 */
export async function untilUncontended<Result>(
  triesMax: number,
  attempt: (previous: unknown) => Promise<Result>,
): Promise<Result> {
  let previous: unknown;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(previous);
    } catch (error) {
      if (tries >= triesMax || !isContention(error)) throw error;
      previous = error;
      // Differs between writers, so that they don't meet again.
      await sleep(Math.random() * PAUSE_MS * 2 ** tries);
    }
  }
}
