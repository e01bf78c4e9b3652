import { listFlags as list } from '../../../shared/store/staff/flags.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listFlags(
  { db, clock }: ApiContext,
  { query }: StaffRequest<'listFlags'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query, clock.now()) };
}
