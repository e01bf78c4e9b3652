import { AppError } from '../../shared/contract/errors.ts';
import { makeFinding } from '../../shared/contract/findings.ts';
import type { RecordSummary, SearchResult } from '../../shared/contract/machine/record.ts';
import { makeAnswerRoom, takeWhileFits } from '../../shared/domain/presentation/answer-room.ts';
import { presentSummary } from '../../shared/domain/presentation/present-summary.ts';
import { readCriteria, type SearchCriteria } from '../../shared/domain/search-criteria.ts';
import { searchRecords as search } from '../../shared/store/registry/search-records.ts';
import { readToday } from '../../shared/store/sandbox/registry-day.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';
import type { MachineRequest } from './request.ts';
import { viewerOf } from './viewer.ts';

/** api.md, "GET /api/v1/ppai/policies/search"; D16. @throws {AppError} VALIDATION_FAILED without a criterion */
export async function searchRecords(
  { db, keyring, clock, config }: ApiContext,
  { query, submitter }: MachineRequest<'searchRecords'>,
): Promise<Answer> {
  const { status, page, pageSize } = query;
  const criteria = requireCriteria(query);
  const now = clock.now();
  const today = await readToday(db, config, now);
  const viewer = viewerOf(submitter);
  const question = { criteria, status, page, pageSize, viewer, now, today };
  const { records, total, expiringWithinDays } = await search(db, keyring, question);
  const items = records.map((record) => presentSummary(record, { today, expiringWithinDays }));
  requireRoom(items);
  return { status: 200, data: { items, page, pageSize, total } satisfies SearchResult };
}

/** A page by number cannot end early, as pages by cursor do: records would be lost between two of them (D33, D70). */
function requireRoom(items: readonly RecordSummary[]): void {
  const fitting = takeWhileFits(makeAnswerRoom(), items).length;
  if (fitting === items.length) return;
  throw new AppError('VALIDATION_FAILED', 'the page exceeds an answer', {
    details: [
      makeFinding(
        'INVALID_FORMAT',
        'pageSize',
        `These records are too long for one answer: ask for a pageSize of ${fitting} or less.`,
      ),
    ],
  });
}

function requireCriteria(query: MachineRequest<'searchRecords'>['query']): SearchCriteria {
  const criteria = readCriteria(query);
  if (criteria !== undefined) return criteria;
  throw new AppError('VALIDATION_FAILED', 'a search without a criterion', {
    details: [
      makeFinding('REQUIRED', null, 'Give an identifier, a policy number or a certificate number.'),
    ],
  });
}
