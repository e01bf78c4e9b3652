import { requirePool } from '../../../shared/store/staff/pools.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function readPool(
  { db }: ApiContext,
  { params }: StaffRequest<'readPool'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await requirePool(db, params.poolId) };
}
