import { createPool as create } from '../../../shared/store/staff/pools.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function createPool(
  context: ApiContext,
  request: StaffRequest<'createPool'>,
): Promise<StaffAnswer> {
  const data = await changeByStaff(context, request, (tx, by) => create(tx, request.body, by));
  return { status: 201, data, headers: { Location: `/admin/v1/pools/${data.id}` } };
}
