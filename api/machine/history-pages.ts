import { AppError } from '../../shared/contract/errors.ts';
import type { Page } from '../../shared/contract/machine/paging.ts';
import type { DiffEntry } from '../../shared/contract/machine/record.ts';
import type {
  FlagHistoryQuery,
  HistoryQuery,
  VehicleHistoryQuery,
} from '../../shared/contract/machine/record-history.ts';
import { type KeyedRows, pageThatFits, pageWithin } from '../../shared/db/page.ts';
import { coverageStatusOn } from '../../shared/domain/coverage-status.ts';
import { makeAnswerRoom, takeWhileFits } from '../../shared/domain/presentation/answer-room.ts';
import { maskDiff } from '../../shared/domain/presentation/mask-personal.ts';
import {
  listAmendments,
  listVersions,
  presentFlag,
  presentTransmission,
  presentVehicle,
  presentVersion,
  type RecordReader,
  withDiffs,
  withSnapshots,
} from '../../shared/domain/presentation/present-history.ts';
import { calendarDate } from '../../shared/platform/clock.ts';
import type { Viewer } from '../../shared/store/intake/transmissions.ts';
import {
  findDiff,
  findRecordHead,
  findVersion,
  type RecordHead,
  readAmendmentPage,
  readFlagPage,
  readTransmissionPage,
  readVehiclePage,
  readVersionPage,
} from '../../shared/store/registry/records/record-pages.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';

/** Who looks at which record, as an organization or as staff. */
export interface HistoryLook {
  readonly registryReference: string;
  readonly viewer: Viewer;
  readonly reader: RecordReader;
}

// The history of a record page by page (D33): visible and masked as in its detail (D22, D23). Each throws NOT_FOUND for a record
// that is absent or not visible, and VALIDATION_FAILED for a cursor that its list did not give.

export async function answerVersions(
  context: ApiContext,
  look: HistoryLook,
  query: HistoryQuery,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  const keyed = await readVersionPage(context.db, context.keyring, record.id, query);
  const room = makeAnswerRoom();
  const listed = listVersions(keyed.rows, statusOf(context, record), look.reader, room);
  return answerOf(pageThatFits(keyed, withSnapshots(listed, keyed.rows, room)));
}

/** @throws {AppError} NOT_FOUND for a version that the record does not have, too */
export async function answerVersion(
  context: ApiContext,
  look: HistoryLook,
  version: number,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  const row = await findVersion(context.db, context.keyring, record.id, version);
  if (row === undefined) throw new AppError('NOT_FOUND', 'the record has no such version');
  const status = statusOf(context, record);
  return { status: 200, data: presentVersion(row, status, look.reader, makeAnswerRoom()) };
}

/** @throws {AppError} NOT_FOUND for a version that the record does not have, too */
export async function answerVersionVehicles(
  context: ApiContext,
  look: HistoryLook,
  version: number,
  query: HistoryQuery,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  const row = await findVersion(context.db, context.keyring, record.id, version);
  const snapshot = row?.openSnapshot?.();
  if (snapshot === undefined) throw new AppError('NOT_FOUND', 'the record has no such version');
  return answerOf(pageWithin(snapshot.vehicles, query));
}

export async function answerAmendments(
  context: ApiContext,
  look: HistoryLook,
  query: HistoryQuery,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  const keyed = await readAmendmentPage(context.db, context.keyring, record.id, query);
  const room = makeAnswerRoom();
  const listed = listAmendments(keyed.rows, look.reader, room);
  return answerOf(pageThatFits(keyed, withDiffs(listed, keyed.rows, room)));
}

/** @throws {AppError} NOT_FOUND for a version that no amendment made, too */
export async function answerDiff(
  context: ApiContext,
  look: HistoryLook,
  toVersion: number,
  query: HistoryQuery,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  const diff = await findDiff<DiffEntry>(context.db, context.keyring, record.id, toVersion);
  if (diff === undefined) throw new AppError('NOT_FOUND', 'no amendment made such a version');
  return answerOf(pageWithin(maskDiff(diff), query));
}

export async function answerTransmissions(
  context: ApiContext,
  look: HistoryLook,
  query: HistoryQuery,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  const keyed = await readTransmissionPage(context.db, look.viewer, record.id, query);
  return answerPage(keyed, presentTransmission);
}

export async function answerVehicles(
  context: ApiContext,
  look: HistoryLook,
  query: VehicleHistoryQuery,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  return answerPage(await readVehiclePage(context.db, record.id, query), presentVehicle);
}

export async function answerFlags(
  context: ApiContext,
  look: HistoryLook,
  query: FlagHistoryQuery,
): Promise<Answer> {
  const record = await requireRecord(context, look);
  const keyed = await readFlagPage(context.db, look.viewer, record.id, query);
  return answerPage(keyed, (flag) => presentFlag(flag, look.reader));
}

async function requireRecord(
  { db, clock }: ApiContext,
  { registryReference, viewer }: HistoryLook,
): Promise<RecordHead> {
  const found = await findRecordHead(db, registryReference, viewer, clock.now());
  if (found === undefined) throw new AppError('NOT_FOUND', 'no such record is visible');
  return found;
}

function statusOf({ clock, config }: ApiContext, record: RecordHead) {
  const today = calendarDate(clock.now(), config.registryTimeZone);
  return coverageStatusOn(today, record, record.expiringWithinDays);
}

function answerPage<Row, Item>(keyed: KeyedRows<Row>, present: (row: Row) => Item): Answer {
  return answerOf(pageThatFits(keyed, takeWhileFits(makeAnswerRoom(), keyed.rows.map(present))));
}

function answerOf(page: Page<unknown>): Answer {
  return { status: 200, data: page };
}
