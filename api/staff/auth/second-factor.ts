import type { RecoveryCodesResult } from '../../../shared/contract/staff/auth.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import { findTotpSealed } from '../../../shared/store/staff/sign-in/credentials.ts';
import { takeBackFailure } from '../../../shared/store/staff/sign-in/failures.ts';
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
} from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import { renewSecondFactor } from '../../../shared/store/staff/sign-in/sessions.ts';
import { actAsStaff } from '../act.ts';
import { ok, type StaffHandlers } from '../route.ts';
import { attemptCode, requirePassword } from './attempt.ts';
import { useFactor } from './factor.ts';
import { presentSession } from './present-session.ts';

/** The second factor of a user who is signed in. */
export const SECOND_FACTOR_HANDLERS: Pick<StaffHandlers, 'renewMfa' | 'replaceRecoveryCodes'> = {
  /** The session keeps its id, so that other requests of the browser continue. */
  async renewMfa(context, request) {
    const { staff, session, body } = request;
    const { userId } = session;
    const renew = () =>
      actAsStaff(context, request, async (tx, by, locked) => {
        const totpSealed = await findTotpSealed(tx, userId);
        const secrets = { userId, totpSealed, pendingSealed: undefined };
        const factor = await useFactor(context, tx, secrets, body.code);
        await takeBackFailure(tx, staff.email);
        await renewSecondFactor(tx, locked.idHash, by.at);
        const recoveryCodesLeft = await countRecoveryCodes(tx, userId);
        const act = { ...by, target: { type: 'USER', id: staff.id } } as const;
        if (factor === 'recovery code') {
          const after = { recoveryCodesLeft };
          await recordAudit(tx, { ...act, action: 'RECOVERY_CODE_USED', after });
        }
        await recordAudit(tx, { ...act, action: 'MFA_RENEWED' });
        return presentSession({ ...locked, factorAt: by.at, recoveryCodesLeft, seenAt: by.at });
      });
    return ok(await attemptCode(context, session, request, renew));
  },

  async replaceRecoveryCodes(context, request) {
    const { staff, body } = request;
    await requirePassword(context, { email: staff.email, password: body.password }, request);
    const recoveryCodes = await actAsStaff(context, request, async (tx, by) => {
      const codes = await replaceRecoveryCodes(tx, staff.id, context.config.clientSecretPepper[0]);
      await recordAudit(tx, {
        ...by,
        action: 'RECOVERY_CODES_REPLACED',
        target: { type: 'USER', id: staff.id },
      });
      return codes;
    });
    return ok({ recoveryCodes } satisfies RecoveryCodesResult);
  },
};
