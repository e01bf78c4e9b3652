import { FAILED_SIGN_IN_ENTRY_SECONDS } from '../../../contract/staff.ts';
import type { Db, Tx } from '../../../db/prisma.ts';
import { type AuditAct, recordAudit } from '../audit.ts';

export interface FailedSignIn extends Pick<AuditAct, 'actor' | 'requestId' | 'at' | 'keys'> {
  /** As it is kept and compared. */
  readonly email: string;
  /** Keyed hash of the e-mail address. */
  readonly account: Buffer;
  readonly address: string;
  /** Whom a limit by address counts together: of IPv6 the /64. */
  readonly network: string;
  readonly code: string;
}

/**
 * Enters a failed sign-in in the audit log, or counts it as a repeat of the entry that the same account and network have from the last
 * 15 minutes. Of many at once one is entered.
 */
export async function recordFailedSignIn(db: Db, failure: FailedSignIn): Promise<void> {
  await db.$transaction(async (tx) => {
    const entered = await findEntry(tx, failure);
    if (entered === null) await enter(tx, failure);
    else await countRepeat(tx, entered, failure.at);
  });
}

/** The entry that this failure repeats, its row locked; null when it needs one of its own. */
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

async function enter(tx: Tx, failure: FailedSignIn): Promise<void> {
  const { email, account, actor, address, network, requestId, at, keys, code } = failure;
  const [user] = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM staff_users WHERE email = ${email}`;
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
export async function pruneFailedSignIns(db: Db, now: Date, rowsMax: number): Promise<number> {
  const before = new Date(now.getTime() - FAILED_SIGN_IN_ENTRY_SECONDS * 1_000);
  return db.$executeRaw`
    DELETE FROM staff_failed_sign_ins WHERE (account_hash, network) IN (
      SELECT account_hash, network FROM staff_failed_sign_ins WHERE audited_at <= ${before}::timestamptz
      ORDER BY audited_at LIMIT ${rowsMax}
    )`;
}
