import { AppError } from '../../../shared/contract/errors.ts';
import { presentRecord } from '../../../shared/domain/presentation/present-record.ts';
import { calendarDate } from '../../../shared/platform/clock.ts';
import { findRecord } from '../../../shared/store/registry/records/records.ts';
import { STAFF_VIEWER } from '../../../shared/store/staff/records.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { staffReader } from './record-history.ts';

/** Operators' personal data masked as for everybody (D22). @throws {AppError} NOT_FOUND */
export async function readRecord(
  { db, keyring, clock, config }: ApiContext,
  { params }: StaffRequest<'readRecord'>,
): Promise<StaffAnswer> {
  const now = clock.now();
  const found = await findRecord(db, keyring, params.registryReference, STAFF_VIEWER, now);
  if (found === undefined) throw new AppError('NOT_FOUND', 'no such record');
  const { record, expiringWithinDays } = found;
  const day = { today: calendarDate(now, config.registryTimeZone), expiringWithinDays };
  const reader = staffReader(record.registryReference);
  return { status: 200, data: presentRecord(record, day, reader) };
}
