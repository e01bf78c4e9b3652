import { createHash } from 'node:crypto';
import { FAILURES_MAX, LOCK_SECONDS } from '../../../contract/staff.ts';
import type { Db, Tx } from '../../../db/prisma.ts';

/**
 * Counts an attempt as a failure before it is looked at, in one statement: however many come at once, no more than FAILURES_MAX
 * are looked at before the lock. One that turns out right is given back. Returns how many failures there are now, this one
 * included. Undefined when the address is locked.
 */
export async function takeSignInAttempt(
  db: Tx,
  email: string,
  now: Date,
): Promise<number | undefined> {
  const lockedUntil = new Date(now.getTime() + LOCK_SECONDS * 1_000);
  const [row] = await db.$queryRaw<{ failures: number }[]>`
    INSERT INTO staff_sign_in_failures AS known (email_hash, failures, last_at)
    VALUES (${hashEmail(email)}, 1, ${now}::timestamptz)
    ON CONFLICT (email_hash) DO UPDATE SET
      failures = CASE WHEN known.locked_until IS NULL THEN known.failures + 1 ELSE 1 END,
      locked_until = CASE WHEN known.locked_until IS NULL AND known.failures + 1 >= ${FAILURES_MAX}::int
        THEN ${lockedUntil}::timestamptz END,
      last_at = excluded.last_at
    WHERE known.locked_until IS NULL OR known.locked_until <= ${now}::timestamptz
    RETURNING failures`;
  return row?.failures;
}

/** An attempt was right so far: it is a failure no longer, and a lock that it set is gone. Earlier failures stay. */
export async function giveBackSignInAttempt(db: Tx, email: string): Promise<void> {
  await db.$executeRaw`
    UPDATE staff_sign_in_failures SET failures = greatest(failures - 1, 0), locked_until = NULL
    WHERE email_hash = ${hashEmail(email)}`;
}

/** After a complete sign-in the next failure is the first one again. */
export async function forgetSignInFailures(db: Tx, email: string): Promise<void> {
  await db.$executeRaw`DELETE FROM staff_sign_in_failures WHERE email_hash = ${hashEmail(email)}`;
}

const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** One bounded pass over addresses without an attempt for a day. Returns the number of rows removed. */
export async function pruneSignInFailures(db: Db, now: Date, rowsMax: number): Promise<number> {
  const before = new Date(now.getTime() - FORGOTTEN_AFTER_MS);
  return db.$executeRaw`
    DELETE FROM staff_sign_in_failures WHERE email_hash IN (
      SELECT email_hash FROM staff_sign_in_failures WHERE last_at <= ${before}::timestamptz ORDER BY last_at LIMIT ${rowsMax}
    )`;
}

function hashEmail(email: string): Buffer {
  return createHash('sha256').update(email, 'utf8').digest();
}
