import { AppError } from '../../shared/contract/errors.ts';
import { presentRecord } from '../../shared/domain/presentation/present-record.ts';
import { calendarDate } from '../../shared/platform/clock.ts';
import { findRecord } from '../../shared/store/registry/records/records.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import { organizationReader } from './record-history.ts';
import type { MachineRequest } from './route.ts';
import { viewerOf } from './viewer.ts';

/** api.md, "GET /api/v1/ppai/policies/{registryReference}"; D22, D23. @throws {AppError} NOT_FOUND */
export async function readRecord(
  { db, keyring, clock, config }: ApiContext,
  { params, submitter }: MachineRequest<'readRecord'>,
): Promise<Answer> {
  const now = clock.now();
  const viewer = viewerOf(submitter);
  const found = await findRecord(db, keyring, params.registryReference, viewer, now);
  if (found === undefined) throw new AppError('NOT_FOUND', 'no such record is visible');
  const { record, expiringWithinDays } = found;
  const day = { today: calendarDate(now, config.registryTimeZone), expiringWithinDays };
  const reader = organizationReader(record.registryReference);
  return { status: 200, data: presentRecord(record, day, reader) };
}
