import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import type { SearchResult } from '../../shared/contract/record.ts';
import { presentSummary } from '../../shared/domain/present-summary.ts';
import { readCriteria, type SearchCriteria } from '../../shared/domain/search-criteria.ts';
import { calendarDate } from '../../shared/platform/clock.ts';
import { searchRecords as search } from '../../shared/store/search-records.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../edge/respond.ts';
import type { Admitted } from '../edge/route.ts';
import { viewerOf } from '../edge/viewer.ts';

/** api.md, "GET /api/v1/ppai/policies/search"; D16. @throws {AppError} VALIDATION_FAILED without a criterion */
export async function searchRecords(
  { db, keyring, clock, config }: ApiContext,
  { query, submitter }: Admitted<'searchRecords'>,
): Promise<Answer> {
  const { status, page, pageSize } = query;
  const criteria = demandCriteria(query);
  const now = clock.now();
  const today = calendarDate(now, config.registryTimeZone);
  const viewer = viewerOf(submitter);
  const question = { criteria, status, page, pageSize, viewer, now, today };
  const { records, total, expiringWithinDays } = await search(db, keyring, question);
  const items = records.map((record) => presentSummary(record, { today, expiringWithinDays }));
  return { status: 200, data: { items, page, pageSize, total } satisfies SearchResult };
}

function demandCriteria(query: Admitted<'searchRecords'>['query']): SearchCriteria {
  const criteria = readCriteria(query);
  if (criteria !== undefined) return criteria;
  throw new AppError('VALIDATION_FAILED', 'a search without a criterion', {
    details: [
      makeFinding('REQUIRED', null, 'Give an identifier, a policy number or a certificate number.'),
    ],
  });
}
