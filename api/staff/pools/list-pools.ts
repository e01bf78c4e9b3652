import { listPools as list } from '../../../shared/store/staff/pools.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listPools(
  { db }: ApiContext,
  { query }: StaffRequest<'listPools'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query) };
}
