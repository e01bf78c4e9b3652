import { listUsers as list } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listUsers(
  { db, clock }: ApiContext,
  { query }: AdminAdmitted<'listUsers'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query, clock.now()) };
}
