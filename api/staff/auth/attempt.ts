import { AppError } from '../../../shared/contract/errors.ts';
import { FAILURES_MAX } from '../../../shared/contract/staff.ts';
import { isPassword } from '../../../shared/platform/secrets/passwords.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import {
  findStaffUserByEmail,
  normalizeEmail,
  type StaffUser,
} from '../../../shared/store/staff/sign-in/credentials.ts';
import { countFailure, takeBackFailure } from '../../../shared/store/staff/sign-in/failures.ts';
import type { ApiContext } from '../../context.ts';
import { type AttemptOrigin, actorOf, notingFailure } from './note-failure.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/**
 * The active user with this address and password. Neither the answer nor its time shows whether the address, the password or
 * the user's status is wrong.
 * @throws {AppError} ACCOUNT_LOCKED, INVALID_CREDENTIALS
 */
export function requirePassword(
  context: ApiContext,
  { email, password }: Credentials,
  origin: AttemptOrigin,
): Promise<StaffUser> {
  return notingFailure(context, email, origin, async () => {
    const attempt = await beginAttempt(context, email);
    const user = await findStaffUserByEmail(context.db, attempt.email);
    const isRight = await isPasswordOf(context, attempt, user, password);
    if (user === undefined || !isRight || user.status !== 'ACTIVE') {
      await auditLock(context, attempt, user?.id ?? null, origin);
      throw new AppError(
        'INVALID_CREDENTIALS',
        'address or password is wrong, or the user is disabled',
      );
    }
    if (user.passwordExpiresAt !== null && user.passwordExpiresAt <= context.clock.now()) {
      await auditLock(context, attempt, user.id, origin);
      throw new AppError('INVALID_CREDENTIALS', 'the initial password has expired', {
        message:
          'This initial password has expired; ask an administrator to reset it, or run "npm run admin -- reset-password".',
      });
    }
    await takeBackFailure(context.db, attempt.email);
    return user;
  });
}

/** A password that was not compared, because no hash could be computed for it, is not a failed sign-in. */
async function isPasswordOf(
  { db }: ApiContext,
  { email }: Attempt,
  user: StaffUser | undefined,
  password: string,
): Promise<boolean> {
  try {
    return await isPassword(password, user?.passwordHash);
  } catch (error) {
    await takeBackFailure(db, email);
    throw error;
  }
}

interface AttemptingUser {
  readonly userId: string;
  readonly email: string;
}

/**
 * Runs a check of a second-factor code. A wrong code stays counted as a failed sign-in; any other error does not. After a
 * success `check` decides which failures are forgotten.
 * @throws {AppError} ACCOUNT_LOCKED, and what `check` throws
 */
export function attemptCode<Result>(
  context: ApiContext,
  { userId, email }: AttemptingUser,
  origin: AttemptOrigin,
  check: () => Promise<Result>,
): Promise<Result> {
  return notingFailure(context, email, origin, async () => {
    const attempt = await beginAttempt(context, email);
    try {
      return await check();
    } catch (error) {
      const isFailure = error instanceof AppError && error.code === 'INVALID_MFA_CODE';
      if (isFailure) await auditLock(context, attempt, userId, origin);
      else await takeBackFailure(context.db, attempt.email);
      throw error;
    }
  });
}

interface Attempt {
  /** Failures in a row, including this attempt. */
  readonly failures: number;
  readonly email: string;
}

/** Counts the attempt as a failure before the password or code is looked at. @throws {AppError} ACCOUNT_LOCKED */
async function beginAttempt({ db, clock }: ApiContext, email: string): Promise<Attempt> {
  const normalized = normalizeEmail(email);
  const failures = await countFailure(db, normalized, clock.now());
  if (failures === undefined) throw new AppError('ACCOUNT_LOCKED', 'too many failures');
  return { failures, email: normalized };
}

/** Audits the failure that locks the address, also when no user has the address. */
async function auditLock(
  { db, clock, keyring }: ApiContext,
  { failures }: Attempt,
  userId: string | null,
  { staff, address, requestId }: AttemptOrigin,
): Promise<void> {
  if (failures < FAILURES_MAX) return;
  await db.$transaction((tx) =>
    recordAudit(tx, {
      actor: actorOf(staff),
      action: 'SIGN_IN_LOCKED',
      target: { type: 'USER', id: userId },
      address,
      requestId,
      at: clock.now(),
      keys: keyring,
    }),
  );
}
