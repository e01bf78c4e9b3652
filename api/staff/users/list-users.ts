import { listUsers as list } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listUsers(
  { db, clock }: ApiContext,
  { query }: StaffRequest<'listUsers'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query, clock.now()) };
}
