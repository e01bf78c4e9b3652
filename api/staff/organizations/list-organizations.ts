import { listOrganizations as list } from '../../../shared/store/staff/organizations.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listOrganizations(
  { db }: ApiContext,
  { query }: AdminAdmitted<'listOrganizations'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query) };
}
