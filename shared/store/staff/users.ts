import { AppError } from '../../contract/errors.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type { User, UserQuery } from '../../contract/staff/users.ts';
import type { AuditAction, Role, UserStatus } from '../../contract/staff.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPage } from '../../db/page.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { maskEmail } from '../../domain/presentation/masking.ts';
import { type AuditAct, recordAudit } from './audit.ts';
import { endAllStaffSessions } from './sign-in/sessions.ts';
import { forgetSignInFailures } from './sign-in/sign-in-failures.ts';
import {
  createStaffUser,
  lockAdministrators,
  normalizeEmail,
  PASSWORD_EXPIRY,
  type PasswordToSet,
  setStaffPassword,
} from './staff.ts';

/** Who acts on a user, when and from where. */
export type By = Pick<AuditAct, 'actor' | 'address' | 'requestId' | 'at' | 'keys'>;

interface UserRow
  extends Omit<User, 'initialPasswordExpiresAt' | 'createdAt' | 'lastSignedInAt' | 'lockedUntil'> {
  readonly initialPasswordExpiresAt: Date | null;
  readonly createdAt: Date;
  readonly lastSignedInAt: Date | null;
  readonly lockedUntil: Date | null;
}

const columnsAt = (now: Date) => Prisma.sql`
  u.id::text, u.email, u.role, u.status, u.totp_sealed IS NOT NULL AS "mfaEnrolled",
  NOT u.password_is_own AS "passwordChangeDue", ${PASSWORD_EXPIRY} AS "initialPasswordExpiresAt", u.created_at AS "createdAt", u.last_signed_in_at AS "lastSignedInAt",
  CASE WHEN f.locked_until > ${now}::timestamptz THEN f.locked_until END AS "lockedUntil"`;
const FROM = Prisma.sql`
  staff_users u LEFT JOIN staff_sign_in_failures f ON f.email_hash = sha256(convert_to(u.email, 'UTF8'))`;

/** Newest first. */
export async function listUsers(db: Db, query: UserQuery, now: Date): Promise<Page<User>> {
  const { role, status, email, cursor, limit } = query;
  const page = await readPage<UserRow>(db, {
    columns: columnsAt(now),
    from: FROM,
    conditions: [
      ...(role === undefined ? [] : [Prisma.sql`u.role = ${role}`]),
      ...(status === undefined ? [] : [Prisma.sql`u.status = ${status}`]),
      ...(email === undefined
        ? []
        : [Prisma.sql`position(${normalizeEmail(email)} IN u.email) > 0`]),
    ],
    keys: [
      { sql: Prisma.sql`u.created_at`, type: 'timestamptz' },
      { sql: Prisma.sql`u.id`, type: 'uuid' },
    ],
    order: 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(userOf) };
}

/** @throws {AppError} NOT_FOUND */
export async function requireUser(db: Db | Tx, userId: string, now: Date): Promise<User> {
  const [row] = await db.$queryRaw<UserRow[]>`
    SELECT ${columnsAt(now)} FROM ${FROM} WHERE u.id = ${userId}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such user');
  return userOf(row);
}

function userOf({ createdAt, lastSignedInAt, lockedUntil, ...row }: UserRow): User {
  return {
    ...row,
    initialPasswordExpiresAt: row.initialPasswordExpiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    lastSignedInAt: lastSignedInAt?.toISOString() ?? null,
    lockedUntil: lockedUntil?.toISOString() ?? null,
  };
}

export interface UserToCreate {
  readonly email: string;
  readonly role: Role;
  readonly password: PasswordToSet;
}

/** @throws {AppError} CONFLICT */
export async function createUser(
  tx: Tx,
  { email, role, password }: UserToCreate,
  by: By,
): Promise<User> {
  const id = await createStaffUser(tx, { email, role, password, now: by.at });
  if (id === undefined) {
    throw new AppError('CONFLICT', 'the address is taken', {
      message: 'Another user has this address.',
    });
  }
  const user = await requireUser(tx, id, by.at);
  const after = { email: maskEmail(user.email), role };
  await recordAct(tx, 'USER_CREATED', id, by, { after });
  return user;
}

/** @throws {AppError} NOT_FOUND, CONFLICT, FORBIDDEN */
export async function changeUserRole(tx: Tx, userId: string, role: Role, by: By): Promise<User> {
  const before = await lockUser(tx, userId);
  if (before.role !== role) {
    refuseLastAdministrator(before);
    refuseOwnAccount(before, by);
    await tx.staffUser.update({ where: { id: userId }, data: { role }, select: { id: true } });
    await endAllStaffSessions(tx, userId);
    const change = { before: { role: before.role }, after: { role } };
    await recordAct(tx, 'USER_ROLE_CHANGED', userId, by, change);
  }
  return requireUser(tx, userId, by.at);
}

/** @throws {AppError} NOT_FOUND, CONFLICT, FORBIDDEN */
export async function setUserStatus(
  tx: Tx,
  userId: string,
  status: UserStatus,
  by: By,
): Promise<User> {
  const before = await lockUser(tx, userId);
  if (before.status !== status) {
    if (status === 'DISABLED') refuseLastAdministrator(before);
    refuseOwnAccount(before, by);
    await tx.staffUser.update({ where: { id: userId }, data: { status }, select: { id: true } });
    await endAllStaffSessions(tx, userId);
    const action = status === 'DISABLED' ? 'USER_DISABLED' : 'USER_ENABLED';
    const change = { before: { status: before.status }, after: { status } };
    await recordAct(tx, action, userId, by, change);
  }
  return requireUser(tx, userId, by.at);
}

/** @throws {AppError} NOT_FOUND, FORBIDDEN */
export async function resetUserMfa(tx: Tx, userId: string, by: By): Promise<User> {
  refuseOwnAccount(await lockUser(tx, userId), by);
  const { count } = await tx.staffUser.updateMany({
    where: { id: userId, totpSealed: { not: null } },
    data: { totpSealed: null },
  });
  await tx.staffRecoveryCode.deleteMany({ where: { userId } });
  await endAllStaffSessions(tx, userId);
  const change = { before: { mfaEnrolled: count === 1 }, after: { mfaEnrolled: false } };
  if (count === 1) await recordAct(tx, 'USER_MFA_RESET', userId, by, change);
  return requireUser(tx, userId, by.at);
}

/** @throws {AppError} NOT_FOUND, FORBIDDEN */
export async function resetUserPassword(
  tx: Tx,
  userId: string,
  password: PasswordToSet,
  by: By,
): Promise<User> {
  refuseOwnAccount(await lockUser(tx, userId), by);
  const { email } = await requireUser(tx, userId, by.at);
  await setStaffPassword(tx, userId, password, by.at);
  await forgetSignInFailures(tx, email);
  await endAllStaffSessions(tx, userId);
  await recordAct(tx, 'USER_PASSWORD_RESET', userId, by, {});
  return requireUser(tx, userId, by.at);
}

function recordAct(
  tx: Tx,
  action: AuditAction,
  userId: string,
  by: By,
  change: Pick<AuditAct, 'before' | 'after'>,
): Promise<void> {
  return recordAudit(tx, { ...by, action, target: { type: 'USER', id: userId }, ...change });
}

interface LockedUser {
  readonly id: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly isLastAdministrator: boolean;
}

/** Locks the active administrators and then the user. @throws {AppError} NOT_FOUND */
async function lockUser(tx: Tx, userId: string): Promise<LockedUser> {
  const administrators = await lockAdministrators(tx);
  const [user] = await tx.$queryRaw<Omit<LockedUser, 'isLastAdministrator'>[]>`
    SELECT id::text, role, status FROM staff_users WHERE id = ${userId}::uuid FOR UPDATE`;
  if (user === undefined) throw new AppError('NOT_FOUND', 'no such user');
  const isLastAdministrator = administrators.length === 1 && administrators[0] === user.id;
  return { ...user, isLastAdministrator };
}

function refuseLastAdministrator({ isLastAdministrator }: LockedUser): void {
  if (!isLastAdministrator) return;
  throw new AppError('CONFLICT', 'the last active administrator', {
    message: 'This is the last active ADMINISTRATOR; make somebody else one first.',
  });
}

/**
 * Nobody manages the own account: a stolen session would keep it, and the administrator who acts is always left (D50).
 * @throws {AppError} FORBIDDEN
 */
function refuseOwnAccount({ id }: Pick<LockedUser, 'id'>, { actor }: By): void {
  if (actor.kind !== 'STAFF' || actor.id !== id) return;
  throw new AppError('FORBIDDEN', 'the own account', {
    message:
      'This is your own account: change your password under /auth/v1/password, and leave the rest to another ADMINISTRATOR.',
  });
}
