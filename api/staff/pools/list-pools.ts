import { listPools as list } from '../../../shared/store/staff/pools.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listPools(
  { db }: ApiContext,
  { query }: AdminAdmitted<'listPools'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query) };
}
