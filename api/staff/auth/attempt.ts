import { createHmac } from 'node:crypto';
import { AppError, type ErrorCode } from '../../../shared/contract/errors.ts';
import { FAILURES_MAX } from '../../../shared/contract/staff.ts';
import { signInFailed } from '../../../shared/platform/events.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { HashingBusy, isPassword } from '../../../shared/platform/secrets/passwords.ts';
import { type AuditActor, recordAudit } from '../../../shared/store/staff/audit.ts';
import {
  findStaffUserByEmail,
  normalizeEmail,
  type StaffUser,
} from '../../../shared/store/staff/sign-in/credentials.ts';
import {
  countFailure,
  recordFailedSignIn,
  takeBackFailure,
} from '../../../shared/store/staff/sign-in/failures.ts';
import { limitedNetwork } from '../../auth/caller-address.ts';
import type { Staff } from '../../auth/staff/authenticate-staff.ts';
import type { ApiContext } from '../../context.ts';

/** Who tries, if that is known, and from where. */
interface Origin {
  readonly staff: Staff | undefined;
  readonly address: string;
  readonly requestId: string;
  readonly logger: Logger;
}

interface Attempt {
  /** Failures in a row, this attempt among them. */
  readonly failures: number;
  readonly email: string;
}

/** To be called before a password or code is looked at. @throws {AppError} ACCOUNT_LOCKED */
async function takeAttempt({ db, clock }: ApiContext, email: string): Promise<Attempt> {
  const normalized = normalizeEmail(email);
  const failures = await countFailure(db, normalized, clock.now());
  if (failures === undefined) throw new AppError('ACCOUNT_LOCKED', 'too many failures');
  return { failures, email: normalized };
}

/** Audits the failure that locks, the same for an address that nobody has. */
async function auditLock(
  { db, clock, keyring }: ApiContext,
  { failures }: Attempt,
  userId: string | null,
  { staff, address, requestId }: Origin,
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

function actorOf(staff: Staff | undefined): AuditActor {
  return staff === undefined
    ? { kind: 'ANONYMOUS', id: null, email: null, role: null }
    : { kind: 'STAFF', ...staff };
}

/**
 * Runs what may refuse a sign-in. A refusal is told to log and metrics, with a keyed hash of the account, and entered in the audit log
 * once in 15 minutes; one for the rate alone, which looked at no account, is not entered.
 */
export async function notingFailure<Result>(
  context: ApiContext,
  email: string,
  origin: Origin,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const code = failureOf(error);
    if (code !== undefined) await noteRefusal(context, normalizeEmail(email), origin, code);
    throw error;
  }
}

const FAILURES: readonly ErrorCode[] = [
  'INVALID_CREDENTIALS',
  'INVALID_MFA_CODE',
  'ACCOUNT_LOCKED',
  'RATE_LIMITED',
];

function failureOf(error: unknown): ErrorCode | undefined {
  if (error instanceof HashingBusy) return 'RATE_LIMITED';
  return error instanceof AppError && FAILURES.includes(error.code) ? error.code : undefined;
}

const ACCOUNT_HASH_BYTES = 16;

async function noteRefusal(
  { db, clock, config, keyring, metrics }: ApiContext,
  email: string,
  { staff, address, requestId, logger }: Origin,
  code: ErrorCode,
): Promise<void> {
  const account = createHmac('sha256', config.clientSecretPepper[0].key)
    .update(`account/${email}`, 'utf8')
    .digest()
    .subarray(0, ACCOUNT_HASH_BYTES);
  signInFailed({ logger, metrics }, { code, address, account: account.toString('hex') });
  if (code === 'RATE_LIMITED') return;
  const failure = {
    email,
    account,
    address,
    network: limitedNetwork(address),
    code,
    actor: actorOf(staff),
    requestId,
    at: clock.now(),
    keys: keyring,
  };
  await db.$transaction((tx) => recordFailedSignIn(tx, failure));
}

/**
 * The active user with this address and password. Whether the address, the password or the user's status is wrong is told
 * neither by the answer nor by its time.
 * @throws {AppError} ACCOUNT_LOCKED, INVALID_CREDENTIALS
 */
export function requirePassword(
  context: ApiContext,
  credentials: Credentials,
  origin: Origin,
): Promise<StaffUser> {
  return notingFailure(context, credentials.email, origin, () =>
    checkPassword(context, credentials, origin),
  );
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function checkPassword(
  context: ApiContext,
  { email, password }: Credentials,
  origin: Origin,
): Promise<StaffUser> {
  const attempt = await takeAttempt(context, email);
  const user = await findStaffUserByEmail(context.db, attempt.email);
  const isRight = await takeBackAfterFault(context, attempt, () =>
    isPassword(password, user?.passwordHash),
  );
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
}

/** What could not be looked at, such as a password for whose hash there is no room, is no failed sign-in. */
async function takeBackAfterFault<Result>(
  { db }: ApiContext,
  { email }: Attempt,
  look: () => Promise<Result>,
): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    await takeBackFailure(db, email);
    throw error;
  }
}

/**
 * Runs what looks at a code of the second factor. One that is wrong stays counted as a failed sign-in; another error is
 * none. After a success it is up to `run` what is forgotten.
 * @throws {AppError} ACCOUNT_LOCKED, and what `run` throws
 */
export function attemptCode<Result>(
  context: ApiContext,
  user: { readonly userId: string; readonly email: string },
  origin: Origin,
  run: () => Promise<Result>,
): Promise<Result> {
  return notingFailure(context, user.email, origin, () => lookAtCode(context, user, origin, run));
}

async function lookAtCode<Result>(
  context: ApiContext,
  { userId, email }: { readonly userId: string; readonly email: string },
  origin: Origin,
  run: () => Promise<Result>,
): Promise<Result> {
  const attempt = await takeAttempt(context, email);
  try {
    return await run();
  } catch (error) {
    const isFailure = error instanceof AppError && error.code === 'INVALID_MFA_CODE';
    if (isFailure) await auditLock(context, attempt, userId, origin);
    else await takeBackFailure(context.db, attempt.email);
    throw error;
  }
}
