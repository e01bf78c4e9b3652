import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import { findPasswordFlaw } from '../../../shared/platform/secrets/password-strength.ts';
import { hashPassword } from '../../../shared/platform/secrets/passwords.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import { listRegulatorNames } from '../../../shared/store/staff/organizations.ts';
import { countRecoveryCodes } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import {
  endAllStaffSessions,
  openStaffSession,
} from '../../../shared/store/staff/sign-in/sessions.ts';
import { lockStaffUser, setStaffPassword } from '../../../shared/store/staff/staff.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { requirePassword } from './attempt.ts';
import { wordsOf } from './password-words.ts';
import { presentSession } from './present-session.ts';

/** The other sessions of the user are over; this one goes on under a new id, and ends when it would have ended. */
export async function changePassword(
  context: ApiContext,
  request: StaffRequest<'changePassword'>,
): Promise<StaffAnswer> {
  const { staff, session, body, cookies, address } = request;
  const { currentPassword, newPassword } = body;
  const known = await requirePassword(
    context,
    { email: staff.email, password: currentPassword },
    request,
  );
  if (newPassword === currentPassword) {
    throw new AppError('VALIDATION_FAILED', 'the new password is the old one', {
      details: [
        makeFinding(
          'INVALID_FORMAT',
          'newPassword',
          'Choose another password than the current one.',
        ),
      ],
    });
  }
  await requireStrong(context, staff.email, newPassword);
  const passwordHash = await hashPassword(newPassword);
  const { token, recoveryCodesLeft, now } = await changeByStaff(
    context,
    request,
    async (tx, by) => {
      const locked = await lockStaffUser(tx, staff.id);
      if (locked?.passwordHash !== known.passwordHash)
        throw new AppError('SESSION_EXPIRED', 'the password was changed meanwhile');
      await setStaffPassword(tx, staff.id, { hash: passwordHash, isInitial: false }, by.at);
      await endAllStaffSessions(tx, staff.id);
      const opened = {
        token: await openStaffSession(tx, {
          stage: 'SESSION',
          userId: staff.id,
          startedAt: session.startedAt,
          factorAt: session.factorAt,
          now: by.at,
          address,
        }),
        recoveryCodesLeft: await countRecoveryCodes(tx, staff.id),
        now: by.at,
      };
      await recordAudit(tx, {
        ...by,
        action: 'PASSWORD_CHANGED',
        target: { type: 'USER', id: staff.id },
      });
      return opened;
    },
  );
  const data = presentSession({ ...session, passwordIsOwn: true, recoveryCodesLeft, now });
  return { status: 200, data, cookies: [cookies.giveSession(token)] };
}

/** @throws {AppError} VALIDATION_FAILED */
async function requireStrong({ db }: ApiContext, email: string, password: string): Promise<void> {
  const flaw = await findPasswordFlaw(password, wordsOf(email, await listRegulatorNames(db)));
  if (flaw === undefined) return;
  throw new AppError('VALIDATION_FAILED', 'the new password is weak', {
    details: [makeFinding('INVALID_FORMAT', 'newPassword', flaw)],
  });
}
