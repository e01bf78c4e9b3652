import { demandPool } from '../../../shared/store/staff/pools.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function readPool(
  { db }: ApiContext,
  { params }: AdminAdmitted<'readPool'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandPool(db, params.poolId) };
}
