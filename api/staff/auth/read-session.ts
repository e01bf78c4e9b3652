import { countRecoveryCodes } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';
import { presentSession } from './present-session.ts';

export async function readSession(
  { db, clock }: ApiContext,
  { session }: AdminAdmitted<'readSession'>,
): Promise<AdminAnswer> {
  const recoveryCodesLeft = await countRecoveryCodes(db, session.userId);
  return { status: 200, data: presentSession({ ...session, recoveryCodesLeft, now: clock.now() }) };
}
