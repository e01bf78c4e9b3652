import { AppError } from '../../../shared/contract/errors.ts';
import type { LoginResult } from '../../../shared/contract/staff/auth.ts';
import {
  endStaffSession,
  hashToken,
  openStaffSession,
} from '../../../shared/store/staff/sign-in/sessions.ts';
import { lockStaffUser } from '../../../shared/store/staff/staff.ts';
import { requireAllowed } from '../../auth/rate-limit.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { requirePassword, tellingFailure } from './attempt.ts';

/** api.md, "Admin realm". The challenge that an earlier login gave this browser is over. */
export async function login(
  context: ApiContext,
  request: StaffRequest<'login'>,
): Promise<StaffAnswer> {
  const { db, limits, clock } = context;
  const { address, body, cookies } = request;
  await tellingFailure(context, body.email, request, async () =>
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
    return {
      token: await openStaffSession(tx, {
        stage: 'CHALLENGE',
        userId: user.id,
        startedAt: now,
        now,
        address,
      }),
      mfaEnrolled: locked.mfaEnrolled,
    };
  });
  const data: LoginResult = {
    next: opened.mfaEnrolled ? 'MFA_REQUIRED' : 'MFA_ENROLLMENT_REQUIRED',
  };
  return { status: 200, data, cookies: [cookies.giveChallenge(opened.token)] };
}
