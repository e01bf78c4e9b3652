import { demandUser } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function readUser(
  { db, clock }: ApiContext,
  { params }: AdminAdmitted<'readUser'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandUser(db, params.userId, clock.now()) };
}
