import { changePool as change } from '../../../shared/store/staff/pools.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function changePool(
  context: ApiContext,
  request: StaffRequest<'changePool'>,
): Promise<StaffAnswer> {
  const { params, body } = request;
  const data = await changeByStaff(context, request, (tx, by) =>
    change(tx, params.poolId, body, by),
  );
  return { status: 200, data };
}
