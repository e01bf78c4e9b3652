import { INITIAL_PASSWORD_HOURS, type Role, type UserStatus } from '../../../contract/staff.ts';
import type { Prisma } from '../../../db/generated/client.ts';
import type { Tx } from '../../../db/prisma.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { lockUserRow } from '../lock.ts';

// The password and the TOTP secret of a user.

export interface StaffUser {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly passwordHash: string;
  readonly passwordIsOwn: boolean;
  /** Null for an own password. */
  readonly passwordExpiresAt: Date | null;
  readonly mfaEnrolled: boolean;
}

const COLUMNS = {
  id: true,
  email: true,
  role: true,
  status: true,
  passwordHash: true,
  passwordIsOwn: true,
  passwordExpiresAt: true,
  totpSealed: true,
} as const satisfies Prisma.StaffUserSelect;

type Row = Prisma.StaffUserGetPayload<{ select: typeof COLUMNS }>;

/** CHECK constraints hold the columns of text to the vocabularies of the contract. */
function userOf({ totpSealed, ...row }: Row): StaffUser {
  return {
    ...row,
    passwordExpiresAt: passwordExpiryOf(row),
    mfaEnrolled: totpSealed !== null,
  } as StaffUser;
}

/** An earlier release left a time at own passwords, which never expire. */
export function passwordExpiryOf({
  passwordIsOwn,
  passwordExpiresAt,
}: Pick<Row, 'passwordIsOwn' | 'passwordExpiresAt'>): Date | null {
  return passwordIsOwn ? null : passwordExpiresAt;
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

/** The form in which addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase();
}

/** Returns the id; undefined when another user has the address. */
export async function createStaffUser(
  tx: Tx,
  { email, role, password, now }: NewStaffUser,
): Promise<string | undefined> {
  const [row] = await tx.staffUser.createManyAndReturn({
    data: { email: normalizeEmail(email), role, ...passwordColumns(password, now), createdAt: now },
    skipDuplicates: true,
    select: { id: true },
  });
  return row?.id;
}

export async function findStaffUserByEmail(db: Tx, email: string): Promise<StaffUser | undefined> {
  const row = await db.staffUser.findUnique({
    where: { email: normalizeEmail(email) },
    select: COLUMNS,
  });
  return row === null ? undefined : userOf(row);
}

/**
 * The active user, locked until the transaction ends: resets, changes of role and disabling come before or after, and end the
 * sessions that were opened before them. Undefined for a user who is not active.
 */
export async function lockStaffUser(tx: Tx, userId: string): Promise<StaffUser | undefined> {
  await lockUserRow(tx, userId);
  const row = await tx.staffUser.findUnique({
    where: { id: userId, status: 'ACTIVE' },
    select: COLUMNS,
  });
  return row === null ? undefined : userOf(row);
}

export async function setStaffPassword(
  tx: Tx,
  userId: string,
  password: PasswordToSet,
  now: Date,
): Promise<void> {
  await tx.staffUser.update({
    where: { id: userId },
    data: passwordColumns(password, now),
    select: { id: true },
  });
}

function passwordColumns({ hash, isInitial }: PasswordToSet, now: Date) {
  return {
    passwordHash: hash,
    passwordIsOwn: !isInitial,
    passwordExpiresAt: isInitial
      ? new Date(now.getTime() + INITIAL_PASSWORD_HOURS * 3_600_000)
      : null,
  };
}

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

interface TotpStep {
  readonly userId: string;
  readonly sealed: Buffer;
  readonly step: number;
}

/**
 * Uses up the code of a time step, and the codes of all steps before it. False when one of them was used already, or the user
 * has another secret by now: of several requests that use one code at once, one gets true.
 */
export async function useTotpStep(tx: Tx, { userId, sealed, step }: TotpStep): Promise<boolean> {
  const { count } = await tx.staffUser.updateMany({
    where: { id: userId, totpSealed: new Uint8Array(sealed), totpLastStep: { lt: step } },
    data: { totpLastStep: step },
  });
  return count === 1;
}

/** Makes a secret the user's, its first code used up. False when the user has one already. */
export async function confirmTotpSecret(
  tx: Tx,
  { userId, sealed, step }: TotpStep,
): Promise<boolean> {
  const { count } = await tx.staffUser.updateMany({
    where: { id: userId, totpSealed: null },
    data: { totpSealed: new Uint8Array(sealed), totpLastStep: step },
  });
  return count === 1;
}

export async function noteSignIn(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.staffUser.update({
    where: { id: userId },
    data: { lastSignedInAt: now },
    select: { id: true },
  });
}
