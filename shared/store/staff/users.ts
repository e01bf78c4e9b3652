import { makeConflict } from '../../contract/conflict.ts';
import { AppError } from '../../contract/errors.ts';
import type { Page } from '../../contract/machine/paging.ts';
import type { User, UserQuery } from '../../contract/staff/users.ts';
import type { Role, UserStatus } from '../../contract/staff.ts';
import { Prisma } from '../../db/generated/client.ts';
import { newestFirst, readPageById } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { maskEmail } from '../../domain/presentation/masking.ts';
import { type By, recordAudit } from './audit.ts';
import { lockAdministrators, lockUserRow } from './lock.ts';
import {
  createStaffUser,
  normalizeEmail,
  type PasswordToSet,
  passwordExpiryOf,
  setStaffPassword,
} from './sign-in/credentials.ts';
import { findLocks, forgetFailures } from './sign-in/failures.ts';
import { endSessionsOf } from './sign-in/own-sessions.ts';
import { endAllStaffSessions } from './sign-in/sessions.ts';

const SHOWN = {
  id: true,
  email: true,
  role: true,
  status: true,
  totpSealed: true,
  passwordIsOwn: true,
  passwordExpiresAt: true,
  createdAt: true,
  lastSignedInAt: true,
} as const satisfies Prisma.StaffUserSelect;

type Row = Prisma.StaffUserGetPayload<{ select: typeof SHOWN }>;

/** Newest first. */
export function listUsers(db: Tx, query: UserQuery, now: Date): Promise<Page<User>> {
  const { role, status, email, cursor, limit } = query;
  return readPageById(
    db,
    {
      id: Prisma.sql`u.id`,
      from: Prisma.sql`staff_users u`,
      conditions: [
        role !== undefined && Prisma.sql`u.role = ${role}`,
        status !== undefined && Prisma.sql`u.status = ${status}`,
        email !== undefined && Prisma.sql`position(${normalizeEmail(email)} IN u.email) > 0`,
      ],
      ...newestFirst('u'),
      cursor,
      limit,
    },
    async (ids) => {
      const rows = await db.staffUser.findMany({ where: { id: { in: ids } }, select: SHOWN });
      return withLocks(db, rows, now);
    },
  );
}

/** @throws {AppError} NOT_FOUND */
export async function requireUser(db: Tx, userId: string, now: Date): Promise<User> {
  const rows = await db.staffUser.findMany({ where: { id: userId }, select: SHOWN });
  const [user] = await withLocks(db, rows, now);
  if (user === undefined) throw new AppError('NOT_FOUND', 'no such user');
  return user;
}

/** CHECK constraints hold role and status to the vocabularies of the contract. */
async function withLocks(db: Tx, rows: readonly Row[], now: Date): Promise<User[]> {
  const emails = rows.map(({ email }) => email);
  const locks = await findLocks(db, emails, now);
  return rows.map(
    (row) =>
      ({
        id: row.id,
        email: row.email,
        role: row.role,
        status: row.status,
        mfaEnrolled: row.totpSealed !== null,
        passwordChangeDue: !row.passwordIsOwn,
        initialPasswordExpiresAt: passwordExpiryOf(row)?.toISOString() ?? null,
        createdAt: row.createdAt.toISOString(),
        lastSignedInAt: row.lastSignedInAt?.toISOString() ?? null,
        lockedUntil: locks.get(row.email)?.toISOString() ?? null,
      }) as User,
  );
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
    throw makeConflict('CODE_TAKEN', {
      reason: 'the address is taken',
      message: 'Another user has this address.',
    });
  }
  const user = await requireUser(tx, id, by.at);
  await recordAudit(tx, {
    ...by,
    action: 'USER_CREATED',
    target: { type: 'USER', id },
    after: { email: maskEmail(user.email), role },
  });
  return user;
}

/** @throws {AppError} NOT_FOUND, CONFLICT, FORBIDDEN */
export async function changeUserRole(tx: Tx, userId: string, role: Role, by: By): Promise<User> {
  const before = await lockUser(tx, userId);
  if (before.role !== role) {
    await refuseLastAdministrator(tx, before, by);
    refuseOwnAccount(before, by);
    await tx.staffUser.update({ where: { id: userId }, data: { role }, select: { id: true } });
    await endAllStaffSessions(tx, userId);
    await recordAudit(tx, {
      ...by,
      action: 'USER_ROLE_CHANGED',
      target: { type: 'USER', id: userId },
      before: { role: before.role },
      after: { role },
    });
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
    if (status === 'DISABLED') await refuseLastAdministrator(tx, before, by);
    refuseOwnAccount(before, by);
    await tx.staffUser.update({ where: { id: userId }, data: { status }, select: { id: true } });
    await endAllStaffSessions(tx, userId);
    await recordAudit(tx, {
      ...by,
      action: status === 'DISABLED' ? 'USER_DISABLED' : 'USER_ENABLED',
      target: { type: 'USER', id: userId },
      before: { status: before.status },
      after: { status },
    });
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
  if (count === 1) {
    await recordAudit(tx, {
      ...by,
      action: 'USER_MFA_RESET',
      target: { type: 'USER', id: userId },
      before: { mfaEnrolled: true },
      after: { mfaEnrolled: false },
    });
  }
  return requireUser(tx, userId, by.at);
}

/** @throws {AppError} NOT_FOUND, FORBIDDEN */
export async function resetUserPassword(
  tx: Tx,
  userId: string,
  password: PasswordToSet,
  by: By,
): Promise<User> {
  const user = await lockUser(tx, userId);
  refuseOwnAccount(user, by);
  await setStaffPassword(tx, userId, password, by.at);
  await forgetFailures(tx, user.email);
  await endAllStaffSessions(tx, userId);
  await recordAudit(tx, {
    ...by,
    action: 'USER_PASSWORD_RESET',
    target: { type: 'USER', id: userId },
  });
  return requireUser(tx, userId, by.at);
}

/** Returns how many sessions were live. @throws {AppError} NOT_FOUND, FORBIDDEN */
export async function endUserSessions(tx: Tx, userId: string, by: By): Promise<number> {
  const { id } = await lockUser(tx, userId);
  refuseOwnAccount({ id }, by);
  const ended = await endSessionsOf(tx, id, by.at);
  if (ended > 0) {
    await recordAudit(tx, {
      ...by,
      action: 'SESSIONS_ENDED',
      target: { type: 'USER', id },
      after: { ended },
    });
  }
  return ended;
}

interface LockedUser {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly isLastAdministrator: boolean;
}

/** Locks the active administrators and then the user. @throws {AppError} NOT_FOUND */
async function lockUser(tx: Tx, userId: string): Promise<LockedUser> {
  const administrators = await lockAdministrators(tx);
  await lockUserRow(tx, userId);
  const user = await tx.staffUser.findUnique({
    where: { id: userId },
    select: { id: true, email: true, role: true, status: true },
  });
  if (user === null) throw new AppError('NOT_FOUND', 'no such user');
  const isLastAdministrator = administrators.length === 1 && administrators[0] === user.id;
  return { ...user, isLastAdministrator };
}

async function refuseLastAdministrator(tx: Tx, user: LockedUser, { at }: By): Promise<void> {
  if (!user.isLastAdministrator) return;
  throw makeConflict('LAST_ADMINISTRATOR', {
    reason: 'the last active administrator',
    message: 'This is the last active ADMINISTRATOR; make somebody else one first.',
    current: await requireUser(tx, user.id, at),
  });
}

/**
 * Nobody manages their own account (D50): a stolen session could keep it. So the acting administrator always remains.
 * @throws {AppError} FORBIDDEN
 */
function refuseOwnAccount({ id }: Pick<LockedUser, 'id'>, { actor }: By): void {
  if (actor.kind !== 'STAFF' || actor.id !== id) return;
  throw new AppError('FORBIDDEN', 'the own account', {
    message:
      'This is your own account: change your password under /auth/v1/password, and leave the rest to another ADMINISTRATOR.',
  });
}
