import { listMemberships as list } from '../../../shared/store/staff/memberships.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listMemberships(
  { db }: ApiContext,
  { params, query }: AdminAdmitted<'listMemberships'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, params.poolId, query) };
}
