import { AppError } from '../../../shared/contract/errors.ts';
import type { SignedIn } from '../../../shared/contract/staff/auth.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
} from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import {
  endStaffSession,
  hashToken,
  openStaffSession,
} from '../../../shared/store/staff/sign-in/sessions.ts';
import { forgetSignInFailures } from '../../../shared/store/staff/sign-in/sign-in-failures.ts';
import { lockStaffUser, noteSignIn } from '../../../shared/store/staff/staff.ts';
import type { ApiContext } from '../../context.ts';
import { byStaff } from '../../staff/by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { attemptCode } from './attempt.ts';
import { presentSession } from './present-session.ts';
import { useFactor } from './use-factor.ts';

type Request = StaffRequest<'verifyMfa'>;

/** Completes a sign-in, confirming the enrollment if it is the first one. Everything happens in one transaction or nothing does. */
export async function verifyMfa(context: ApiContext, request: Request): Promise<StaffAnswer> {
  const { challenge, cookies } = request;
  if (challenge.totpSealed === undefined && challenge.pendingSealed === undefined) {
    throw new AppError('MFA_REQUIRED', 'nothing is enrolled', {
      message: 'No second factor is enrolled yet; begin with mfa/enroll.',
    });
  }
  if (challenge.totpSealed !== undefined && challenge.pendingSealed !== undefined) {
    throw new AppError('CONFLICT', 'another sign-in enrolled a second factor meanwhile');
  }
  const { data, token } = await attemptCode(context, challenge, request, () =>
    context.db.$transaction((tx) => signIn(context, tx, request)),
  );
  return { status: 200, data, cookies: [cookies.giveSession(token), cookies.takeChallenge()] };
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
    factorAt: now,
    recoveryCodesLeft,
    now,
  });
  return { data: { ...session, recoveryCodes }, token };
}
