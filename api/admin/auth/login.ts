import type { LoginResult } from '../../../shared/contract/admin/auth.ts';
import { endStaffSession, hashToken, openStaffSession } from '../../../shared/store/sessions.ts';
import { hasTotpSecret } from '../../../shared/store/staff.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { demandAllowed } from '../../edge/rate-limit.ts';
import { demandPassword } from './attempt.ts';

/** api.md, "Admin realm". The challenge that an earlier login gave this browser is over. */
export async function login(
  context: ApiContext,
  request: AdminAdmitted<'login'>,
): Promise<AdminAnswer> {
  const { db, limits, clock } = context;
  const { address, body, cookies } = request;
  demandAllowed(await limits.takeSignIn(address), `address ${address}`);
  const user = await demandPassword(context, body, request);
  if (cookies.challenge !== undefined) await endStaffSession(db, hashToken(cookies.challenge));
  const now = clock.now();
  const token = await openStaffSession(db, {
    stage: 'CHALLENGE',
    userId: user.id,
    startedAt: now,
    now,
    address,
  });
  const next = (await hasTotpSecret(db, user.id)) ? 'MFA_REQUIRED' : 'MFA_ENROLLMENT_REQUIRED';
  const data: LoginResult = { next };
  return { status: 200, data, cookies: [cookies.giveChallenge(token)] };
}
