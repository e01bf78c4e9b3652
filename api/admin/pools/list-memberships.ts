import { listMemberships as list } from '../../../shared/store/memberships.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';

export async function listMemberships(
  { db }: ApiContext,
  { params, query }: AdminAdmitted<'listMemberships'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, params.poolId, query) };
}
