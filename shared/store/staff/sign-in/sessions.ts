import { createHash, randomBytes } from 'node:crypto';
import {
  CHALLENGE_SECONDS,
  type Role,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
} from '../../../contract/staff.ts';
import { Prisma } from '../../../db/generated/client.ts';
import type { Db, Tx } from '../../../db/prisma.ts';

/** A signed-in user. */
export interface StaffSession {
  readonly idHash: Buffer;
  /** What its user calls it by. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly passwordIsOwn: boolean;
  readonly startedAt: Date;
  /** When the second factor was last proved. */
  readonly factorAt: Date;
}

/** A sign-in whose second factor is due. */
export interface StaffChallenge {
  readonly idHash: Buffer;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly startedAt: Date;
  /** The user's confirmed secret; undefined before the first enrollment. */
  readonly totpSealed: Buffer | undefined;
  /** The secret of an enrollment that this challenge began. */
  readonly pendingSealed: Buffer | undefined;
}

export type Stage = 'CHALLENGE' | 'SESSION';

interface NewSession {
  readonly stage: Stage;
  readonly userId: string;
  readonly startedAt: Date;
  readonly now: Date;
  readonly address: string;
  /** Of a session that goes on under a new id; otherwise its second factor is as old as its sign-in. */
  readonly factorAt?: Date;
  readonly pendingSealed?: Buffer;
}

const TOKEN_BYTES = 32;

/** Opens a session or challenge under a new random id and returns it; only its hash is stored. */
export async function openStaffSession(db: Tx, session: NewSession): Promise<string> {
  const { stage, userId, startedAt, now, address, factorAt = null, pendingSealed = null } = session;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db.$executeRaw`
    INSERT INTO staff_sessions (id_hash, stage, user_id, started_at, seen_at, address, factor_at, totp_sealed)
    VALUES (${hashToken(token)}, ${stage}, ${userId}::uuid, ${startedAt}::timestamptz, ${now}::timestamptz, ${address},
      ${factorAt}::timestamptz, ${pendingSealed})`;
  return token;
}

/**
 * The session of a cookie, and one more sign of life of it. Undefined when there is none, it timed out (15 minutes idle, 8 hours
 * in all), it was revoked, or its user is no longer active: read anew at each request, so that all of these count at once.
 */
export async function useStaffSession(
  db: Tx,
  token: string,
  now: Date,
): Promise<StaffSession | undefined> {
  const [row] = await db.$queryRaw<SessionRow[]>`
    UPDATE staff_sessions s SET seen_at = greatest(s.seen_at, ${now}::timestamptz)
    FROM staff_users u
    WHERE s.id_hash = ${hashToken(token)} AND u.id = s.user_id AND u.status = 'ACTIVE' AND ${isLiveAt(now)}
    RETURNING ${SESSION_COLUMNS}`;
  return row && { ...row, idHash: Buffer.from(row.idHash) };
}

/** Of a row `s`: signed in completely, and neither idle nor open for too long. */
export function isLiveAt(now: Date): Prisma.Sql {
  return Prisma.sql`(s.stage = 'SESSION'
    AND s.seen_at > ${secondsBefore(now, SESSION_IDLE_SECONDS)}::timestamptz
    AND s.started_at > ${secondsBefore(now, SESSION_ABSOLUTE_SECONDS)}::timestamptz)`;
}

type SessionRow = Omit<StaffSession, 'idHash'> & { readonly idHash: Uint8Array };

const SESSION_COLUMNS = Prisma.sql`
  s.id_hash AS "idHash", s.id::text, s.user_id::text AS "userId", s.started_at AS "startedAt",
  coalesce(s.factor_at, s.started_at) AS "factorAt", u.email, u.role, u.password_is_own AS "passwordIsOwn"`;

/**
 * The session that acts, as it is and stays until the transaction ends: whatever ends sessions comes before or after. Undefined when
 * it is over, for the reasons of {@link useStaffSession}. What it did just before, such as a sign of life, never waits for it.
 */
export async function holdStaffSession(
  tx: Tx,
  idHash: Buffer,
  now: Date,
): Promise<StaffSession | undefined> {
  const [row] = await tx.$queryRaw<SessionRow[]>`
    SELECT ${SESSION_COLUMNS} FROM staff_sessions s JOIN staff_users u ON u.id = s.user_id
    WHERE s.id_hash = ${idHash} AND u.status = 'ACTIVE' AND ${isLiveAt(now)}
    FOR KEY SHARE OF s`;
  return row && { ...row, idHash: Buffer.from(row.idHash) };
}

/** The second factor of the session was proved anew. */
export async function renewSecondFactor(tx: Tx, idHash: Buffer, now: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE staff_sessions SET factor_at = ${now}::timestamptz WHERE id_hash = ${idHash}`;
}

/** The challenge of a cookie. Undefined when there is none, it is over, or its user is no longer active. */
export async function findStaffChallenge(
  db: Tx,
  token: string,
  now: Date,
): Promise<StaffChallenge | undefined> {
  interface Row extends Omit<StaffChallenge, 'idHash' | 'totpSealed' | 'pendingSealed'> {
    readonly idHash: Uint8Array;
    readonly totpSealed: Uint8Array | null;
    readonly pendingSealed: Uint8Array | null;
  }
  const [row] = await db.$queryRaw<Row[]>`
    SELECT s.id_hash AS "idHash", s.user_id::text AS "userId", s.started_at AS "startedAt", u.email, u.role,
      u.totp_sealed AS "totpSealed", s.totp_sealed AS "pendingSealed"
    FROM staff_sessions s JOIN staff_users u ON u.id = s.user_id
    WHERE s.id_hash = ${hashToken(token)} AND s.stage = 'CHALLENGE' AND u.status = 'ACTIVE'
      AND s.started_at > ${secondsBefore(now, CHALLENGE_SECONDS)}::timestamptz`;
  if (row === undefined) return undefined;
  return {
    ...row,
    idHash: Buffer.from(row.idHash),
    totpSealed: row.totpSealed === null ? undefined : Buffer.from(row.totpSealed),
    pendingSealed: row.pendingSealed === null ? undefined : Buffer.from(row.pendingSealed),
  };
}

/** False when it was over already: of several that end one challenge at once, one is told true. */
export async function endStaffSession(db: Tx, idHash: Buffer): Promise<boolean> {
  return (await db.$executeRaw`DELETE FROM staff_sessions WHERE id_hash = ${idHash}`) === 1;
}

/** Sessions and challenges alike. */
export async function endAllStaffSessions(db: Tx, userId: string): Promise<void> {
  await db.$executeRaw`DELETE FROM staff_sessions WHERE user_id = ${userId}::uuid`;
}

/** One bounded pass over sessions that timed out. Returns the number of rows removed. */
export async function pruneStaffSessions(db: Db, now: Date, rowsMax: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM staff_sessions WHERE id_hash IN (
      SELECT id_hash FROM staff_sessions WHERE seen_at <= ${secondsBefore(now, SESSION_IDLE_SECONDS)}::timestamptz LIMIT ${rowsMax}
    )`;
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}
