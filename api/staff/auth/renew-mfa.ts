import { recordAudit } from '../../../shared/store/staff/audit.ts';
import { countRecoveryCodes } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import { renewSecondFactor } from '../../../shared/store/staff/sign-in/sessions.ts';
import { giveBackSignInAttempt } from '../../../shared/store/staff/sign-in/sign-in-failures.ts';
import { findTotpSealed } from '../../../shared/store/staff/staff.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { attemptCode } from './attempt.ts';
import { presentSession } from './present-session.ts';
import { useFactor } from './use-factor.ts';

/** The session keeps its id: what else the browser has under way goes on. */
export async function renewMfa(
  context: ApiContext,
  request: StaffRequest<'renewMfa'>,
): Promise<StaffAnswer> {
  const { staff, session, body } = request;
  const { userId } = session;
  const data = await attemptCode(context, session, request, () =>
    changeByStaff(context, request, async (tx, by, held) => {
      const totpSealed = await findTotpSealed(tx, userId);
      const secrets = { userId, totpSealed, pendingSealed: undefined };
      const factor = await useFactor(context, tx, secrets, body.code);
      await giveBackSignInAttempt(tx, staff.email);
      await renewSecondFactor(tx, held.idHash, by.at);
      const recoveryCodesLeft = await countRecoveryCodes(tx, userId);
      const act = { ...by, target: { type: 'USER', id: staff.id } } as const;
      if (factor === 'recovery code')
        await recordAudit(tx, {
          ...act,
          action: 'RECOVERY_CODE_USED',
          after: { recoveryCodesLeft },
        });
      await recordAudit(tx, { ...act, action: 'MFA_RENEWED' });
      return presentSession({ ...held, factorAt: by.at, recoveryCodesLeft, now: by.at });
    }),
  );
  return { status: 200, data };
}
