import { endMembership as end, refusingOverlap } from '../../../shared/store/memberships.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

export async function endMembership(
  context: ApiContext,
  request: AdminAdmitted<'endMembership'>,
): Promise<AdminAnswer> {
  const { params, body } = request;
  const data = await refusingOverlap(() =>
    changeByStaff(context, request, (tx, by) => end(tx, params, body, by)),
  );
  return { status: 200, data };
}
