import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import { presentSummary } from '../../../shared/domain/presentation/present-summary.ts';
import { readCriteria } from '../../../shared/domain/search-criteria.ts';
import { calendarDate } from '../../../shared/platform/clock.ts';
import { listRecords as list } from '../../../shared/store/staff/records.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

const CRITERIA = [...IDENTIFIER_KINDS, 'policyNumber', 'cocNumber'] as const;

/** @throws {AppError} VALIDATION_FAILED for a criterion of which normalization leaves nothing (D7) */
export async function listRecords(
  { db, keyring, clock, config }: ApiContext,
  { query }: StaffRequest<'listRecords'>,
): Promise<StaffAnswer> {
  requireMeaning(query);
  const now = clock.now();
  const today = calendarDate(now, config.registryTimeZone);
  const question = { query, criteria: readCriteria(query), now, today };
  const { expiringWithinDays, items, ...page } = await list(db, keyring, question);
  const day = { today, expiringWithinDays };
  return { status: 200, data: { ...page, items: items.map((row) => presentSummary(row, day)) } };
}

/** Left out, such a criterion would list every record as if it had been found. */
function requireMeaning(query: StaffRequest<'listRecords'>['query']): void {
  const empty = CRITERIA.filter(
    (name) => query[name] !== undefined && readCriteria({ [name]: query[name] }) === undefined,
  );
  if (empty.length === 0) return;
  throw new AppError('VALIDATION_FAILED', 'a criterion of nothing', {
    details: empty.map((name) =>
      makeFinding('INVALID_FORMAT', name, 'Nothing is left of it once it is normalized.'),
    ),
  });
}
