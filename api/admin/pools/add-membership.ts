import { addMembership as add } from '../../../shared/store/memberships.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

export async function addMembership(
  context: ApiContext,
  request: AdminAdmitted<'addMembership'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  return { status: 201, data: await add(context.db, request.params.poolId, request.body, by) };
}
