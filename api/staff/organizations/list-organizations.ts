import { listOrganizations as list } from '../../../shared/store/staff/organizations.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listOrganizations(
  { db }: ApiContext,
  { query }: StaffRequest<'listOrganizations'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query) };
}
