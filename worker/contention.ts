import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState } from '../shared/store/db.ts';
import { ClaimsRefused } from '../shared/store/settle.ts';

/** Tries at one decision while other writers change its facts; then it is a fault like any other. */
export const CONTENTION_TRIES_MAX = 8;
const PAUSE_MS = 5;

// unique violation, foreign key (a parent whose insert lost), serialization failure, deadlock, lock time-out
const CONTENTION_STATES = new Set(['23505', '23503', '40001', '40P01', '55P03']);

/** Another writer was first: with fresh facts the decision is another. */
export function isContention(error: unknown): boolean {
  return error instanceof ClaimsRefused || CONTENTION_STATES.has(sqlState(error) ?? '');
}

/** A short pause that differs between writers, so that they don't meet again. */
export async function yieldToOthers(tries: number): Promise<void> {
  await sleep(Math.random() * PAUSE_MS * 2 ** tries);
}
