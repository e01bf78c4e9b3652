import { addMembership as add, refusingOverlap } from '../../../shared/store/staff/memberships.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function addMembership(
  context: ApiContext,
  request: StaffRequest<'addMembership'>,
): Promise<StaffAnswer> {
  const { params, body } = request;
  const data = await refusingOverlap(() =>
    changeByStaff(context, request, (tx, by) => add(tx, params.poolId, body, by)),
  );
  return { status: 201, data };
}
