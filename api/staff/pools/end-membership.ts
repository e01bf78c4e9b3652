import { endMembership as end, refusingOverlap } from '../../../shared/store/staff/memberships.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function endMembership(
  context: ApiContext,
  request: StaffRequest<'endMembership'>,
): Promise<StaffAnswer> {
  const { params, body } = request;
  const data = await refusingOverlap(() =>
    changeByStaff(context, request, (tx, by) => end(tx, params, body, by)),
  );
  return { status: 200, data };
}
