import { AppError } from '../../../shared/contract/errors.ts';
import type { Enrollment } from '../../../shared/contract/staff/auth.ts';
import { makeTotpSecret, totpUri } from '../../../shared/platform/secrets/totp.ts';
import { endStaffSession, openStaffSession } from '../../../shared/store/staff/sign-in/sessions.ts';
import { lockStaffUser, sealTotpSecret } from '../../../shared/store/staff/staff.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { TOTP } from './second-factor.ts';

/**
 * The secret belongs to this sign-in alone until it is confirmed, so that two sign-ins can't confirm each other's. Whoever has a
 * session has a second factor, too: CONFLICT.
 */
export async function enrollMfa(
  { db, keyring, clock }: ApiContext,
  { challenge, cookies, address }: StaffRequest<'enrollMfa'>,
): Promise<StaffAnswer> {
  if (challenge === undefined || challenge.totpSealed !== undefined) {
    throw new AppError('CONFLICT', 'enrolled already', {
      message: 'A second factor is enrolled already; an administrator can reset it.',
    });
  }
  const { userId, email, idHash, startedAt } = challenge;
  const secret = makeTotpSecret();
  const token = await db.$transaction(async (tx) => {
    // Whatever ends this user's sessions comes before, and the challenge is over, or after, and ends the new one.
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
}
