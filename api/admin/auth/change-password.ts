import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import { hashPassword } from '../../../shared/platform/passwords.ts';
import { recordAudit } from '../../../shared/store/audit.ts';
import { countRecoveryCodes } from '../../../shared/store/recovery-codes.ts';
import {
  endAllStaffSessions,
  endStaffSession,
  openStaffSession,
} from '../../../shared/store/sessions.ts';
import { lockStaffUser, setStaffPassword } from '../../../shared/store/staff.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';
import { demandPassword } from './attempt.ts';
import { presentSession } from './present-session.ts';

/** The other sessions of the user are over; this one goes on under a new id, and ends when it would have ended. */
export async function changePassword(
  context: ApiContext,
  request: AdminAdmitted<'changePassword'>,
): Promise<AdminAnswer> {
  const { db, clock } = context;
  const { staff, session, body, cookies, address } = request;
  const { currentPassword, newPassword } = body;
  const known = await demandPassword(
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
  const passwordHash = await hashPassword(newPassword);
  const now = clock.now();
  const { token, recoveryCodesLeft } = await db.$transaction(async (tx) => {
    const locked = await lockStaffUser(tx, staff.id);
    if (
      locked?.passwordHash !== known.passwordHash ||
      !(await endStaffSession(tx, session.idHash))
    ) {
      throw new AppError(
        'SESSION_EXPIRED',
        'the password was reset, or the session ended, meanwhile',
      );
    }
    await setStaffPassword(tx, staff.id, passwordHash, true);
    await endAllStaffSessions(tx, staff.id);
    const opened = {
      token: await openStaffSession(tx, {
        stage: 'SESSION',
        userId: staff.id,
        startedAt: session.startedAt,
        now,
        address,
      }),
      recoveryCodesLeft: await countRecoveryCodes(tx, staff.id),
    };
    await recordAudit(tx, {
      ...byStaff(context, request),
      action: 'PASSWORD_CHANGED',
      target: { type: 'USER', id: staff.id },
    });
    return opened;
  });
  const data = presentSession({ ...session, passwordIsOwn: true, recoveryCodesLeft, now });
  return { status: 200, data, cookies: [cookies.giveSession(token)] };
}
