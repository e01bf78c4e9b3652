import { requireFlag } from '../../../shared/store/staff/flags.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

/** @throws {AppError} NOT_FOUND */
export async function readFlag(
  { db, clock }: ApiContext,
  { params }: StaffRequest<'readFlag'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await requireFlag(db, params.flagId, clock.now()) };
}
