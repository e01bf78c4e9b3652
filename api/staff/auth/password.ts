import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import { findPasswordProblem } from '../../../shared/platform/secrets/password-strength.ts';
import { hashPassword } from '../../../shared/platform/secrets/passwords.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import { listRegulatorNames } from '../../../shared/store/staff/organizations.ts';
import {
  lockStaffUser,
  setStaffPassword,
} from '../../../shared/store/staff/sign-in/credentials.ts';
import { countRecoveryCodes } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import {
  endAllStaffSessions,
  openStaffSession,
} from '../../../shared/store/staff/sign-in/sessions.ts';
import type { ApiContext } from '../../context.ts';
import { actAsStaff } from '../act.ts';
import type { StaffHandlers } from '../route.ts';
import { requirePassword } from './attempt.ts';
import { wordsOf } from './password-words.ts';
import { presentSession } from './present-session.ts';

export const PASSWORD_HANDLERS: Pick<StaffHandlers, 'changePassword'> = {
  /** Ends the other sessions of the user; this one continues under a new id, until its original end. */
  async changePassword(context, request) {
    const { staff, session, body, cookies, address } = request;
    const { currentPassword, newPassword } = body;
    const credentials = { email: staff.email, password: currentPassword };
    const known = await requirePassword(context, credentials, request);
    if (newPassword === currentPassword) {
      const message = 'Choose another password than the current one.';
      throw refusedPassword('the new password is the old one', message);
    }
    await requireStrongPassword(context, staff.email, newPassword);
    const hash = await hashPassword(newPassword);
    const opened = await actAsStaff(context, request, async (tx, by) => {
      const locked = await lockStaffUser(tx, staff.id);
      if (locked?.passwordHash !== known.passwordHash)
        throw new AppError('SESSION_EXPIRED', 'the password was changed meanwhile');
      await setStaffPassword(tx, staff.id, { hash, isInitial: false }, by.at);
      await endAllStaffSessions(tx, staff.id);
      const token = await openStaffSession(tx, {
        stage: 'SESSION',
        userId: staff.id,
        startedAt: session.startedAt,
        factorAt: session.factorAt,
        now: by.at,
        address,
      });
      const recoveryCodesLeft = await countRecoveryCodes(tx, staff.id);
      await recordAudit(tx, {
        ...by,
        action: 'PASSWORD_CHANGED',
        target: { type: 'USER', id: staff.id },
      });
      return { token, recoveryCodesLeft, seenAt: by.at };
    });
    const { token, ...facts } = opened;
    const data = presentSession({ ...session, passwordIsOwn: true, ...facts });
    return { status: 200, data, cookies: [cookies.giveSession(token)] };
  },
};

/** @throws {AppError} VALIDATION_FAILED */
async function requireStrongPassword(
  { db }: ApiContext,
  email: string,
  password: string,
): Promise<void> {
  const flaw = await findPasswordProblem(password, wordsOf(email, await listRegulatorNames(db)));
  if (flaw !== undefined) throw refusedPassword('the new password is weak', flaw);
}

function refusedPassword(reason: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', reason, {
    details: [makeFinding('INVALID_FORMAT', 'newPassword', message)],
  });
}
