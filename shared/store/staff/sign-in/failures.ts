import { createHash } from 'node:crypto';
import {
  FAILED_SIGN_IN_ENTRY_SECONDS,
  FAILURES_MAX,
  LOCK_SECONDS,
} from '../../../contract/staff.ts';
import type { Tx } from '../../../db/prisma.ts';
import { type By, recordAudit } from '../audit.ts';

// Failed sign-ins, in two tables: staff_sign_in_failures counts them by e-mail address and locks the address;
// staff_failed_sign_ins knows which of them have an entry in the audit log.

/**
 * Counts an attempt as a failure before its password or code is compared, in one statement: of any number of concurrent attempts,
 * at most FAILURES_MAX are compared before the lock. If the attempt succeeds, the caller calls {@link takeBackFailure}. Returns the
 * number of failures, including this one. Undefined when the address is locked.
 */
export async function countFailure(db: Tx, email: string, now: Date): Promise<number | undefined> {
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

/** An attempt succeeded: it is no longer a failure, and a lock that it set is removed. Earlier failures stay. */
export async function takeBackFailure(db: Tx, email: string): Promise<void> {
  await db.$executeRaw`
    UPDATE staff_sign_in_failures SET failures = greatest(failures - 1, 0), locked_until = NULL
    WHERE email_hash = ${hashEmail(email)}`;
}

/** After a complete sign-in the next failure counts as the first. */
export async function forgetFailures(db: Tx, email: string): Promise<void> {
  await db.staffSignInFailures.deleteMany({ where: { emailHash: hashEmail(email) } });
}

/** The addresses that are locked at `now`, and until when. */
export async function findLocks(
  db: Tx,
  emails: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const byHash = new Map(emails.map((email) => [hexOf(hashEmail(email)), email]));
  const locked = await db.staffSignInFailures.findMany({
    where: { emailHash: { in: emails.map(hashEmail) }, lockedUntil: { gt: now } },
    select: { emailHash: true, lockedUntil: true },
  });
  return new Map(
    locked.flatMap(({ emailHash, lockedUntil }) => {
      const email = byHash.get(hexOf(emailHash));
      return email === undefined || lockedUntil === null ? [] : [[email, lockedUntil] as const];
    }),
  );
}

function hashEmail(email: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(email, 'utf8').digest());
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

/** One bounded pass over addresses without an attempt for a day. Returns the number of rows removed. */
export function pruneFailureCounts(db: Tx, now: Date, rowsMax: number): Promise<number> {
  const before = new Date(now.getTime() - FORGOTTEN_AFTER_MS);
  return db.$executeRaw`
    DELETE FROM staff_sign_in_failures WHERE email_hash IN (
      SELECT email_hash FROM staff_sign_in_failures WHERE last_at <= ${before}::timestamptz ORDER BY last_at LIMIT ${rowsMax}
    )`;
}

export interface FailedSignIn extends Omit<By, 'address'> {
  /** As normalizeEmail returns it. */
  readonly email: string;
  /** Keyed hash of the e-mail address. */
  readonly account: Buffer;
  readonly address: string;
  /** The addresses that a limit by address counts together: of IPv6 the /64. */
  readonly network: string;
  readonly code: string;
}

/**
 * Enters a failed sign-in in the audit log, or counts it as a repeat of the entry that the same account and network have from
 * the last 15 minutes. Of many concurrent failures one is entered. It runs in a transaction.
 */
export async function recordFailedSignIn(tx: Tx, failure: FailedSignIn): Promise<void> {
  const entry = await findEntry(tx, failure);
  if (entry === null) await addEntry(tx, failure);
  else await countRepeat(tx, entry, failure.at);
}

/** The entry that this failure repeats, its row locked; null when it needs a new entry. */
async function findEntry(tx: Tx, { account, network, at }: FailedSignIn): Promise<bigint | null> {
  const since = new Date(at.getTime() - FAILED_SIGN_IN_ENTRY_SECONDS * 1_000);
  const [row] = await tx.$queryRaw<{ sequence: bigint | null }[]>`
    INSERT INTO staff_failed_sign_ins AS known (account_hash, network, audited_at)
    VALUES (${account}, ${network}, ${at}::timestamptz)
    ON CONFLICT (account_hash, network) DO UPDATE SET
      audit_sequence = CASE WHEN known.audited_at > ${since}::timestamptz THEN known.audit_sequence END,
      audited_at = CASE WHEN known.audited_at > ${since}::timestamptz THEN known.audited_at ELSE excluded.audited_at END
    RETURNING audit_sequence AS sequence`;
  return row?.sequence ?? null;
}

async function addEntry(tx: Tx, failure: FailedSignIn): Promise<void> {
  const { email, account, actor, address, network, requestId, at, keys, code } = failure;
  const user = await tx.staffUser.findUnique({ where: { email }, select: { id: true } });
  await recordAudit(tx, {
    actor,
    action: 'SIGN_IN_FAILED',
    target: { type: 'USER', id: user?.id ?? null },
    address,
    requestId,
    at,
    keys,
    after: { code, account: account.toString('hex') },
  });
  // The head is this entry: its lock is held until the transaction ends.
  await tx.$executeRaw`
    UPDATE staff_failed_sign_ins SET audit_sequence = (SELECT sequence FROM audit_head)
    WHERE account_hash = ${account} AND network = ${network}`;
}

async function countRepeat(tx: Tx, sequence: bigint, at: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO audit_repeats AS known (sequence, repeats, last_at) VALUES (${sequence}::bigint, 1, ${at}::timestamptz)
    ON CONFLICT (sequence) DO UPDATE SET repeats = known.repeats + 1, last_at = greatest(known.last_at, excluded.last_at)`;
}

/** One bounded pass over entries that no failure repeats any more. Returns the number of rows removed. */
export function pruneFailureEntries(db: Tx, now: Date, rowsMax: number): Promise<number> {
  const before = new Date(now.getTime() - FAILED_SIGN_IN_ENTRY_SECONDS * 1_000);
  return db.$executeRaw`
    DELETE FROM staff_failed_sign_ins WHERE (account_hash, network) IN (
      SELECT account_hash, network FROM staff_failed_sign_ins WHERE audited_at <= ${before}::timestamptz
      ORDER BY audited_at LIMIT ${rowsMax}
    )`;
}
