import { createOrganization as create } from '../../../shared/store/organizations.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

export async function createOrganization(
  context: ApiContext,
  request: AdminAdmitted<'createOrganization'>,
): Promise<AdminAnswer> {
  const data = await changeByStaff(context, request, (tx, by) => create(tx, request.body, by));
  return { status: 201, data, headers: { Location: `/admin/v1/organizations/${data.id}` } };
}
