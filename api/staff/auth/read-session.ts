import { countRecoveryCodes } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { presentSession } from './present-session.ts';

export async function readSession(
  { db, clock }: ApiContext,
  { session }: StaffRequest<'readSession'>,
): Promise<StaffAnswer> {
  const recoveryCodesLeft = await countRecoveryCodes(db, session.userId);
  return { status: 200, data: presentSession({ ...session, recoveryCodesLeft, now: clock.now() }) };
}
