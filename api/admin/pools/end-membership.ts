import { endMembership as end } from '../../../shared/store/memberships.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

export async function endMembership(
  context: ApiContext,
  request: AdminAdmitted<'endMembership'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  return { status: 200, data: await end(context.db, request.params, request.body, by) };
}
