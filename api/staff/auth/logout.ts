import type { Done } from '../../../shared/contract/staff/auth.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import { endStaffSession } from '../../../shared/store/staff/sign-in/sessions.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function logout(
  context: ApiContext,
  request: StaffRequest<'logout'>,
): Promise<StaffAnswer> {
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
