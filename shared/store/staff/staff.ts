import { INITIAL_PASSWORD_HOURS, type Role, type UserStatus } from '../../contract/staff.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';

export interface StaffUser {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly passwordHash: string;
  /** Null for an own password. */
  readonly passwordExpiresAt: Date | null;
}

export interface PasswordToSet {
  readonly hash: string;
  /** Made by the registry and seen by somebody else: it expires, and allows nothing but choosing another one. */
  readonly isInitial: boolean;
}

export interface NewStaffUser {
  readonly email: string;
  readonly role: Role;
  readonly password: PasswordToSet;
  readonly now: Date;
}

/** The form in which addresses are kept and compared. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/** Undefined when another user has the address. */
export async function createStaffUser(
  tx: Tx,
  { email, role, password, now }: NewStaffUser,
): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO staff_users (email, role, password_hash, password_is_own, password_expires_at, created_at)
    VALUES (${normalizeEmail(email)}, ${role}, ${password.hash}, ${!password.isInitial}, ${expiryOf(password, now)}::timestamptz,
      ${now}::timestamptz)
    ON CONFLICT (email) DO NOTHING RETURNING id::text`;
  return row?.id;
}

export async function findStaffUserByEmail(
  db: Db | Tx,
  email: string,
): Promise<StaffUser | undefined> {
  const [row] = await db.$queryRaw<StaffUser[]>`
    SELECT id::text, email, role, status, password_hash AS "passwordHash", ${PASSWORD_EXPIRY} AS "passwordExpiresAt"
    FROM staff_users
    WHERE email = ${normalizeEmail(email)}`;
  return row;
}

export interface LockedStaffUser extends StaffUser {
  readonly passwordIsOwn: boolean;
  readonly mfaEnrolled: boolean;
}

/**
 * The active user as it is, and stays until the transaction ends: resets, changes of role and disabling come before or after, and
 * end what was opened before them. Undefined for a user who is not active.
 */
export async function lockStaffUser(tx: Tx, userId: string): Promise<LockedStaffUser | undefined> {
  const [row] = await tx.$queryRaw<LockedStaffUser[]>`
    SELECT id::text, email, role, status, password_hash AS "passwordHash", password_is_own AS "passwordIsOwn",
      ${PASSWORD_EXPIRY} AS "passwordExpiresAt", totp_sealed IS NOT NULL AS "mfaEnrolled"
    FROM staff_users WHERE id = ${userId}::uuid AND status = 'ACTIVE' FOR UPDATE`;
  return row;
}

/**
 * Locks every active administrator, always in the same order, and returns their ids. It comes before any other lock of a transaction
 * that manages users: of two that would remove the last two administrators at once, the second sees what the first did.
 */
export async function lockAdministrators(tx: Tx): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM staff_users WHERE role = 'ADMINISTRATOR' AND status = 'ACTIVE' ORDER BY id FOR UPDATE`;
  return rows.map(({ id }) => id);
}

export async function setStaffPassword(
  tx: Tx,
  userId: string,
  password: PasswordToSet,
  now: Date,
): Promise<void> {
  await tx.staffUser.update({
    where: { id: userId },
    data: {
      passwordHash: password.hash,
      passwordIsOwn: !password.isInitial,
      passwordExpiresAt: expiryOf(password, now),
    },
    select: { id: true },
  });
}

function expiryOf({ isInitial }: PasswordToSet, now: Date): Date | null {
  return isInitial ? new Date(now.getTime() + INITIAL_PASSWORD_HOURS * 3_600_000) : null;
}

/** What the release before left at an own password doesn't count. */
export const PASSWORD_EXPIRY = Prisma.sql`CASE WHEN NOT password_is_own THEN password_expires_at END`;

export function sealTotpSecret(keyring: Keyring, userId: string, secret: string): Buffer {
  return keyring.seal(secret, `staff-totp/${userId}`);
}

export function openTotpSecret(keyring: Keyring, userId: string, sealed: Buffer): string {
  return keyring.open(sealed, `staff-totp/${userId}`).toString('utf8');
}

/** The user's confirmed secret; undefined before an enrollment. */
export async function findTotpSealed(tx: Tx, userId: string): Promise<Buffer | undefined> {
  const user = await tx.staffUser.findUnique({
    where: { id: userId },
    select: { totpSealed: true },
  });
  const sealed = user?.totpSealed ?? undefined;
  return sealed && Buffer.from(sealed);
}

/**
 * Uses up the code of a time step, and those of all before it. False when one of them was used already, or the secret is another one
 * by now: of several that use one code at once, one is told true.
 */
export async function useTotpStep(
  tx: Tx,
  { userId, sealed, step }: { userId: string; sealed: Buffer; step: number },
): Promise<boolean> {
  const used = await tx.$executeRaw`
    UPDATE staff_users SET totp_last_step = ${step}::bigint
    WHERE id = ${userId}::uuid AND totp_sealed = ${sealed} AND totp_last_step < ${step}::bigint`;
  return used === 1;
}

/** Makes a secret the user's, its first code used up. False when the user has one already. */
export async function confirmTotpSecret(
  tx: Tx,
  { userId, sealed, step }: { userId: string; sealed: Buffer; step: number },
): Promise<boolean> {
  const confirmed = await tx.$executeRaw`
    UPDATE staff_users SET totp_sealed = ${sealed}, totp_last_step = ${step}::bigint
    WHERE id = ${userId}::uuid AND totp_sealed IS NULL`;
  return confirmed === 1;
}

export async function noteSignIn(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.staffUser.update({
    where: { id: userId },
    data: { lastSignedInAt: now },
    select: { id: true },
  });
}
