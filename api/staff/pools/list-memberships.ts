import { listMemberships as list } from '../../../shared/store/staff/memberships.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listMemberships(
  { db }: ApiContext,
  { params, query }: StaffRequest<'listMemberships'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, params.poolId, query) };
}
