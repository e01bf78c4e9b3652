import { createPool as create } from '../../../shared/store/pools.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

export async function createPool(
  context: ApiContext,
  request: AdminAdmitted<'createPool'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  const data = await context.db.$transaction((tx) => create(tx, request.body, by));
  return { status: 201, data, headers: { Location: `/admin/v1/pools/${data.id}` } };
}
