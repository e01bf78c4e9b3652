import { changePool as change } from '../../../shared/store/pools.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

export async function changePool(
  context: ApiContext,
  request: AdminAdmitted<'changePool'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  const { params, body } = request;
  const data = await context.db.$transaction((tx) => change(tx, params.poolId, body, by));
  return { status: 200, data };
}
