import { demandFlag } from '../../../shared/store/staff/flags.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

/** @throws {AppError} NOT_FOUND */
export async function readFlag(
  { db, clock }: ApiContext,
  { params }: AdminAdmitted<'readFlag'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandFlag(db, params.flagId, clock.now()) };
}
