import { createHash, randomBytes } from 'node:crypto';
import {
  CHALLENGE_SECONDS,
  type Role,
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
} from '../../../contract/staff.ts';
import { Prisma } from '../../../db/generated/client.ts';
import type { Tx } from '../../../db/prisma.ts';

/** A signed-in user. */
export interface StaffSession {
  readonly idHash: Uint8Array<ArrayBuffer>;
  /** The id that its user sees. */
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly passwordIsOwn: boolean;
  readonly startedAt: Date;
  /** The last request that was not in the background (D72). */
  readonly seenAt: Date;
  /** When the second factor was last proved. */
  readonly factorAt: Date;
}

/** A sign-in whose second factor is due. */
export interface StaffChallenge {
  readonly idHash: Uint8Array<ArrayBuffer>;
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
  /** For a session that continues under a new id. Left out, the second factor is as old as the sign-in. */
  readonly factorAt?: Date;
  readonly pendingSealed?: Buffer;
}

const TOKEN_BYTES = 32;

/** Opens a session or challenge under a new random id and returns it; only its hash is stored. */
export async function openStaffSession(db: Tx, session: NewSession): Promise<string> {
  const { stage, userId, startedAt, now, address, factorAt = null, pendingSealed } = session;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db.staffSession.create({
    data: {
      idHash: hashToken(token),
      stage,
      userId,
      startedAt,
      seenAt: now,
      address,
      factorAt,
      totpSealed: pendingSealed === undefined ? null : new Uint8Array(pendingSealed),
    },
    select: { id: true },
  });
  return token;
}

/**
 * The session of a cookie; it notes that the session was used. Undefined when there is none, it timed out (15 minutes idle, 8 hours
 * in all), it was revoked, or its user is no longer active: read at each request, so that all of these take effect at once.
 */
export async function useStaffSession(
  db: Tx,
  token: string,
  now: Date,
): Promise<StaffSession | undefined> {
  const [row] = await db.$queryRaw<StaffSession[]>`
    UPDATE staff_sessions s SET seen_at = greatest(s.seen_at, ${now}::timestamptz)
    FROM staff_users u
    WHERE s.id_hash = ${hashToken(token)} AND u.id = s.user_id AND u.status = 'ACTIVE' AND ${isLiveAt(now)}
    RETURNING ${SESSION_COLUMNS}`;
  return row;
}

/** Like `useStaffSession`, but the session does not count as used (D72). */
export async function findStaffSession(
  db: Tx,
  token: string,
  now: Date,
): Promise<StaffSession | undefined> {
  const [row] = await db.$queryRaw<StaffSession[]>`
    SELECT ${SESSION_COLUMNS} FROM staff_sessions s JOIN staff_users u ON u.id = s.user_id
    WHERE s.id_hash = ${hashToken(token)} AND u.status = 'ACTIVE' AND ${isLiveAt(now)}`;
  return row;
}

/** A condition on a row `s`: the sign-in is complete, and the session is neither idle nor open for too long. */
export function isLiveAt(now: Date): Prisma.Sql {
  return Prisma.sql`(s.stage = 'SESSION'
    AND s.seen_at > ${secondsBefore(now, SESSION_IDLE_SECONDS)}::timestamptz
    AND s.started_at > ${secondsBefore(now, SESSION_ABSOLUTE_SECONDS)}::timestamptz)`;
}

const SESSION_COLUMNS = Prisma.sql`
  s.id_hash AS "idHash", s.id::text, s.user_id::text AS "userId", s.started_at AS "startedAt", s.seen_at AS "seenAt",
  coalesce(s.factor_at, s.started_at) AS "factorAt", u.email, u.role, u.password_is_own AS "passwordIsOwn"`;

/**
 * The session that acts, kept until the transaction ends: whatever ends sessions comes before or after. Undefined when it is over,
 * for the reasons of {@link useStaffSession}. The lock lets other requests of the session update `seen_at` meanwhile.
 */
export async function lockStaffSession(
  tx: Tx,
  idHash: StaffSession['idHash'],
  now: Date,
): Promise<StaffSession | undefined> {
  const [row] = await tx.$queryRaw<StaffSession[]>`
    SELECT ${SESSION_COLUMNS} FROM staff_sessions s JOIN staff_users u ON u.id = s.user_id
    WHERE s.id_hash = ${idHash} AND u.status = 'ACTIVE' AND ${isLiveAt(now)}
    FOR KEY SHARE OF s`;
  return row;
}

/** Notes that the second factor of the session was proved again. */
export async function renewSecondFactor(
  tx: Tx,
  idHash: StaffSession['idHash'],
  now: Date,
): Promise<void> {
  await tx.staffSession.updateMany({ where: { idHash }, data: { factorAt: now } });
}

/** The challenge of a cookie. Undefined when there is none, it is over, or its user is no longer active. */
export async function findStaffChallenge(
  db: Tx,
  token: string,
  now: Date,
): Promise<StaffChallenge | undefined> {
  const row = await db.staffSession.findUnique({
    where: {
      idHash: hashToken(token),
      stage: 'CHALLENGE',
      startedAt: { gt: secondsBefore(now, CHALLENGE_SECONDS) },
      user: { status: 'ACTIVE' },
    },
    select: {
      idHash: true,
      userId: true,
      startedAt: true,
      totpSealed: true,
      user: { select: { email: true, role: true, totpSealed: true } },
    },
  });
  if (row === null) return undefined;
  const { idHash, userId, startedAt, totpSealed: pending, user } = row;
  return {
    idHash,
    userId,
    startedAt,
    email: user.email,
    role: user.role as Role,
    totpSealed: user.totpSealed === null ? undefined : Buffer.from(user.totpSealed),
    pendingSealed: pending === null ? undefined : Buffer.from(pending),
  };
}

/** False when it had ended already: of several requests that end one challenge at once, one gets true. */
export async function endStaffSession(db: Tx, idHash: StaffSession['idHash']): Promise<boolean> {
  const { count } = await db.staffSession.deleteMany({ where: { idHash } });
  return count === 1;
}

/** Sessions and challenges alike. */
export async function endAllStaffSessions(db: Tx, userId: string): Promise<void> {
  await db.staffSession.deleteMany({ where: { userId } });
}

/** One bounded pass over sessions that timed out. Returns the number of rows removed. */
export async function pruneStaffSessions(db: Tx, now: Date, rowsMax: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM staff_sessions WHERE id_hash IN (
      SELECT id_hash FROM staff_sessions WHERE seen_at <= ${secondsBefore(now, SESSION_IDLE_SECONDS)}::timestamptz LIMIT ${rowsMax}
    )`;
}

export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token, 'utf8').digest());
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}
