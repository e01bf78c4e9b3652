import { createPool as create } from '../../../shared/store/pools.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

export async function createPool(
  context: ApiContext,
  request: AdminAdmitted<'createPool'>,
): Promise<AdminAnswer> {
  const data = await changeByStaff(context, request, (tx, by) => create(tx, request.body, by));
  return { status: 201, data, headers: { Location: `/admin/v1/pools/${data.id}` } };
}
