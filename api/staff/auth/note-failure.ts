import { createHmac } from 'node:crypto';
import { AppError, type ErrorCode } from '../../../shared/contract/errors.ts';
import { signInFailed } from '../../../shared/platform/events.ts';
import type { Logger } from '../../../shared/platform/logger.ts';
import { HashingBusy } from '../../../shared/platform/secrets/passwords.ts';
import type { AuditActor } from '../../../shared/store/staff/audit.ts';
import { normalizeEmail } from '../../../shared/store/staff/sign-in/credentials.ts';
import { recordFailedSignIn } from '../../../shared/store/staff/sign-in/failures.ts';
import { limitedNetwork } from '../../auth/caller-address.ts';
import type { Staff } from '../../auth/staff/authenticate-staff.ts';
import type { ApiContext } from '../../context.ts';

/** The request of an attempt to sign in. */
export interface AttemptOrigin {
  /** The user, if one is signed in already. */
  readonly staff: Staff | undefined;
  readonly address: string;
  readonly requestId: string;
  readonly logger: Logger;
}

/**
 * Runs a check that may refuse a sign-in. A refusal is logged and counted with a keyed hash of the account, and entered in the
 * audit log once in 15 minutes; one by the rate limit, which looked at no account, is not entered.
 */
export async function notingFailure<Result>(
  context: ApiContext,
  email: string,
  origin: AttemptOrigin,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    const code = failureOf(error);
    if (code !== undefined) await noteFailure(context, normalizeEmail(email), origin, code);
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

async function noteFailure(
  { db, clock, config, keyring, metrics }: ApiContext,
  email: string,
  { staff, address, requestId, logger }: AttemptOrigin,
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

export function actorOf(staff: Staff | undefined): AuditActor {
  return staff === undefined
    ? { kind: 'ANONYMOUS', id: null, email: null, role: null }
    : { kind: 'STAFF', ...staff };
}
