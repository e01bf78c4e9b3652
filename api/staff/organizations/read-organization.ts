import { demandOrganization } from '../../../shared/store/staff/organizations.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function readOrganization(
  { db }: ApiContext,
  { params }: AdminAdmitted<'readOrganization'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandOrganization(db, params.organizationId) };
}
