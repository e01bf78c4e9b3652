import type { Done } from '../../../shared/contract/admin/auth.ts';
import { recordAudit } from '../../../shared/store/audit.ts';
import { endStaffSession } from '../../../shared/store/sessions.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

export async function logout(
  context: ApiContext,
  request: AdminAdmitted<'logout'>,
): Promise<AdminAnswer> {
  const { session, staff, cookies } = request;
  await changeByStaff(context, request, async (tx, by) => {
    await endStaffSession(tx, session.idHash);
    await recordAudit(tx, {
      ...by,
      action: 'SIGNED_OUT',
      target: { type: 'USER', id: staff.id },
    });
  });
  const data: Done = { done: true };
  return { status: 200, data, cookies: [cookies.takeSession(), cookies.takeChallenge()] };
}
