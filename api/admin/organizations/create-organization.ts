import { createOrganization as create } from '../../../shared/store/organizations.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

export async function createOrganization(
  context: ApiContext,
  request: AdminAdmitted<'createOrganization'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  const data = await context.db.$transaction((tx) => create(tx, request.body, by));
  return { status: 201, data, headers: { Location: `/admin/v1/organizations/${data.id}` } };
}
