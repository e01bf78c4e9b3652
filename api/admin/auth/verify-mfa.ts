import type { SignedIn } from '../../../shared/contract/admin/auth.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { findTotpStep } from '../../../shared/platform/totp.ts';
import { recordAudit } from '../../../shared/store/audit.ts';
import type { Tx } from '../../../shared/store/db.ts';
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
  useRecoveryCode,
} from '../../../shared/store/recovery-codes.ts';
import {
  endStaffSession,
  hashToken,
  openStaffSession,
  type StaffChallenge,
} from '../../../shared/store/sessions.ts';
import {
  forgetSignInFailures,
  giveBackSignInAttempt,
} from '../../../shared/store/sign-in-failures.ts';
import {
  confirmTotpSecret,
  lockStaffUser,
  noteSignIn,
  openTotpSecret,
  useTotpStep,
} from '../../../shared/store/staff.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';
import { noteFailure, takeAttempt } from './attempt.ts';
import { presentSession } from './present-session.ts';
import { TOTP } from './second-factor.ts';

type Request = AdminAdmitted<'verifyMfa'>;

/** Completes a sign-in, confirming the enrollment if it is the first one. Everything happens in one transaction or nothing does. */
export async function verifyMfa(context: ApiContext, request: Request): Promise<AdminAnswer> {
  const { challenge, cookies } = request;
  if (challenge.totpSealed === undefined && challenge.pendingSealed === undefined) {
    throw new AppError('MFA_REQUIRED', 'nothing is enrolled', {
      message: 'No second factor is enrolled yet; begin with mfa/enroll.',
    });
  }
  if (challenge.totpSealed !== undefined && challenge.pendingSealed !== undefined) {
    throw new AppError('CONFLICT', 'another sign-in enrolled a second factor meanwhile');
  }
  const attempt = await takeAttempt(context, challenge.email);
  try {
    const { data, token } = await context.db.$transaction((tx) => signIn(context, tx, request));
    return { status: 200, data, cookies: [cookies.giveSession(token), cookies.takeChallenge()] };
  } catch (error) {
    const isFailure = error instanceof AppError && error.code === 'INVALID_MFA_CODE';
    if (isFailure) await noteFailure(context, attempt, challenge.userId, request);
    else await giveBackSignInAttempt(context.db, attempt.email);
    throw error;
  }
}

async function signIn(
  context: ApiContext,
  tx: Tx,
  request: Request,
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
  await forgetSignInFailures(tx, email);
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
    recoveryCodesLeft,
    now,
  });
  return { data: { ...session, recoveryCodes }, token };
}

/** Uses up a code, so that it can't be used twice. @throws {AppError} INVALID_MFA_CODE, CONFLICT */
async function useFactor(
  { keyring, clock, config }: ApiContext,
  tx: Tx,
  { userId, totpSealed, pendingSealed }: StaffChallenge,
  code: string,
): Promise<'code' | 'recovery code' | 'enrollment'> {
  const now = clock.now();
  const sealed = totpSealed ?? pendingSealed;
  const isDigits = /^\d{6}$/.test(code.trim());
  const step =
    isDigits && sealed !== undefined
      ? findTotpStep(openTotpSecret(keyring, userId, sealed), code.trim(), now, TOTP)
      : undefined;
  if (step !== undefined && totpSealed !== undefined) {
    if (await useTotpStep(tx, { userId, sealed: totpSealed, step })) return 'code';
    throw new AppError('INVALID_MFA_CODE', 'the code was used');
  }
  if (step !== undefined && pendingSealed !== undefined) {
    if (await confirmTotpSecret(tx, { userId, sealed: pendingSealed, step })) return 'enrollment';
    throw new AppError('CONFLICT', 'another sign-in enrolled a second factor meanwhile');
  }
  const isRecovery =
    totpSealed !== undefined &&
    !isDigits &&
    (await useRecoveryCode(tx, { userId, code, peppers: config.clientSecretPepper, now }));
  if (isRecovery) return 'recovery code';
  throw new AppError('INVALID_MFA_CODE', 'the code is wrong or expired');
}
