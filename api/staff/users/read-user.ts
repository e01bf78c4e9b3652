import { requireUser } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function readUser(
  { db, clock }: ApiContext,
  { params }: StaffRequest<'readUser'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await requireUser(db, params.userId, clock.now()) };
}
