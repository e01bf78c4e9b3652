import { demandOrganization } from '../../../shared/store/organizations.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';

export async function readOrganization(
  { db }: ApiContext,
  { params }: AdminAdmitted<'readOrganization'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandOrganization(db, params.organizationId) };
}
