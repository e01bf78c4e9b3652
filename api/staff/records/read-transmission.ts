import { AppError } from '../../../shared/contract/errors.ts';
import { findTransmissionDetail } from '../../../shared/store/staff/transmissions.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

/** @throws {AppError} NOT_FOUND */
export async function readTransmission(
  { db }: ApiContext,
  { params }: StaffRequest<'readTransmission'>,
): Promise<StaffAnswer> {
  const data = await findTransmissionDetail(db, params.transmissionReference);
  if (data === undefined) throw new AppError('NOT_FOUND', 'no such transmission');
  return { status: 200, data };
}
