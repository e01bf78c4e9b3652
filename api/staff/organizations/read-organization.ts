import { requireOrganization } from '../../../shared/store/staff/organizations.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function readOrganization(
  { db }: ApiContext,
  { params }: StaffRequest<'readOrganization'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await requireOrganization(db, params.organizationId) };
}
