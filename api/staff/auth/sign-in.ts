import { makeConflict } from '../../../shared/contract/conflict.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { Enrollment, LoginResult, SignedIn } from '../../../shared/contract/staff/auth.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import { makeTotpSecret, totpUri } from '../../../shared/platform/secrets/totp.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import {
  lockStaffUser,
  noteSignIn,
  sealTotpSecret,
} from '../../../shared/store/staff/sign-in/credentials.ts';
import { forgetFailures } from '../../../shared/store/staff/sign-in/failures.ts';
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
} from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import {
  endStaffSession,
  hashToken,
  openStaffSession,
} from '../../../shared/store/staff/sign-in/sessions.ts';
import { requireAllowed } from '../../auth/rate-limit.ts';
import type { ApiContext } from '../../context.ts';
import { byStaff } from '../act.ts';
import type { StaffHandlers, StaffRequest } from '../route.ts';
import { attemptCode, requirePassword } from './attempt.ts';
import { enrolledMeanwhile, TOTP, useFactor } from './factor.ts';
import { notingFailure } from './note-failure.ts';
import { presentSession } from './present-session.ts';

/** A sign-in takes two steps, password and second factor; the first sign-in of a user enrolls the factor between them. */
export const SIGN_IN_HANDLERS: Pick<StaffHandlers, 'login' | 'enrollMfa' | 'verifyMfa'> = {
  /** Opens a challenge, and ends the challenge of an earlier login of this browser. */
  async login(context, request) {
    const { db, limits, clock } = context;
    const { address, body, cookies } = request;
    await notingFailure(context, body.email, request, async () =>
      requireAllowed(await limits.takeSignIn(address), `address ${address}`),
    );
    const user = await requirePassword(context, body, request);
    const now = clock.now();
    const opened = await db.$transaction(async (tx) => {
      const locked = await lockStaffUser(tx, user.id);
      if (locked?.passwordHash !== user.passwordHash) {
        throw new AppError(
          'INVALID_CREDENTIALS',
          'the password was reset, or the user disabled, meanwhile',
        );
      }
      if (cookies.challenge !== undefined) await endStaffSession(tx, hashToken(cookies.challenge));
      const token = await openStaffSession(tx, {
        stage: 'CHALLENGE',
        userId: user.id,
        startedAt: now,
        now,
        address,
      });
      return { token, mfaEnrolled: locked.mfaEnrolled };
    });
    const data: LoginResult = {
      next: opened.mfaEnrolled ? 'MFA_REQUIRED' : 'MFA_ENROLLMENT_REQUIRED',
    };
    return { status: 200, data, cookies: [cookies.giveChallenge(opened.token)] };
  },

  /**
   * The secret belongs to this sign-in alone until it is confirmed, so that two sign-ins cannot confirm each other's. A session
   * has a second factor already: CONFLICT.
   */
  async enrollMfa({ db, keyring, clock }, { challenge, cookies, address }) {
    if (challenge === undefined || challenge.totpSealed !== undefined) {
      throw makeConflict('ALREADY_ENROLLED', {
        reason: 'enrolled already',
        message: 'A second factor is enrolled already; an administrator can reset it.',
      });
    }
    const { userId, email, idHash, startedAt } = challenge;
    const secret = makeTotpSecret();
    const token = await db.$transaction(async (tx) => {
      // A change that ends this user's sessions runs before, and the challenge is over, or after, and ends the new one.
      await lockStaffUser(tx, userId);
      if (!(await endStaffSession(tx, idHash)))
        throw new AppError('MFA_REQUIRED', 'the challenge is over');
      return openStaffSession(tx, {
        stage: 'CHALLENGE',
        userId,
        startedAt,
        now: clock.now(),
        address,
        pendingSealed: sealTotpSecret(keyring, userId, secret),
      });
    });
    const data: Enrollment = { otpauthUri: totpUri(secret, email, TOTP), secret };
    return { status: 200, data, cookies: [cookies.giveChallenge(token)] };
  },

  /** Completes a sign-in and, at the first one, the enrollment, in one transaction. */
  async verifyMfa(context, request) {
    const { challenge, cookies } = request;
    if (challenge.totpSealed === undefined && challenge.pendingSealed === undefined) {
      throw new AppError('MFA_REQUIRED', 'nothing is enrolled', {
        message: 'No second factor is enrolled yet; begin with mfa/enroll.',
      });
    }
    if (challenge.totpSealed !== undefined && challenge.pendingSealed !== undefined) {
      throw enrolledMeanwhile();
    }
    const { data, token } = await attemptCode(context, challenge, request, () =>
      context.db.$transaction((tx) => signIn(context, tx, request)),
    );
    return { status: 200, data, cookies: [cookies.giveSession(token), cookies.takeChallenge()] };
  },
};

async function signIn(
  context: ApiContext,
  tx: Tx,
  request: StaffRequest<'verifyMfa'>,
): Promise<{ data: SignedIn; token: string }> {
  const { challenge, cookies, address } = request;
  const { userId } = challenge;
  const now = context.clock.now();
  const user = await lockStaffUser(tx, userId);
  if (user === undefined) throw new AppError('MFA_REQUIRED', 'the user was disabled meanwhile');
  const { email, role, passwordIsOwn } = user;
  const factor = await useFactor(context, tx, challenge, request.body.code);
  if (!(await endStaffSession(tx, challenge.idHash)))
    throw new AppError('MFA_REQUIRED', 'the challenge is over');
  if (cookies.session !== undefined) await endStaffSession(tx, hashToken(cookies.session));
  const token = await openStaffSession(tx, {
    stage: 'SESSION',
    userId,
    startedAt: now,
    now,
    address,
  });
  await forgetFailures(tx, email);
  await noteSignIn(tx, userId, now);
  const recoveryCodes =
    factor === 'enrollment'
      ? await replaceRecoveryCodes(tx, userId, context.config.clientSecretPepper[0])
      : null;
  const recoveryCodesLeft = await countRecoveryCodes(tx, userId);
  const act = {
    ...byStaff(context, { ...request, staff: { id: userId, email, role } }),
    target: { type: 'USER', id: userId },
  } as const;
  if (factor === 'enrollment') await recordAudit(tx, { ...act, action: 'MFA_ENROLLED' });
  if (factor === 'recovery code')
    await recordAudit(tx, { ...act, action: 'RECOVERY_CODE_USED', after: { recoveryCodesLeft } });
  await recordAudit(tx, { ...act, action: 'SIGNED_IN' });
  const session = presentSession({
    userId,
    email,
    role,
    passwordIsOwn,
    startedAt: now,
    factorAt: now,
    recoveryCodesLeft,
    seenAt: now,
  });
  return { data: { ...session, recoveryCodes }, token };
}
