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
import * as present from '../../shared/domain/presentation/present-history.ts';
import { presentRecord } from '../../shared/domain/presentation/present-record.ts';
import type { Viewer } from '../../shared/store/intake/transmissions.ts';
import * as store from '../../shared/store/registry/records/record-pages.ts';
import { findRecord } from '../../shared/store/registry/records/records.ts';
import { readToday } from '../../shared/store/sandbox/registry-day.ts';
import type { ApiContext } from '../context.ts';
import type { Answer } from '../http/respond.ts';

/** The caller that reads a record: an organization or a member of staff. */
export interface RecordAccess {
  readonly viewer: Viewer;
  readonly reader: present.RecordReader;
}

interface RecordRequest {
  readonly params: { readonly registryReference: string };
}
interface VersionRequest {
  readonly params: { readonly version: string };
}
interface AmendmentRequest {
  readonly params: { readonly toVersion: string };
}
interface ListRequest<Query = HistoryQuery> {
  readonly query: Query;
}

/**
 * The handlers that show a record and its history page by page (D33), for organizations and for staff. D23 decides visibility;
 * operators' personal data is masked for all callers (D22). Each throws NOT_FOUND for a record that does not exist or is not
 * visible, and a list throws VALIDATION_FAILED for a cursor that it did not issue.
 */
export function makeRecordHandlers<Request extends RecordRequest>(
  accessOf: (request: Request) => RecordAccess,
) {
  const requireHead = async ({ db, clock }: ApiContext, request: Request) => {
    const { registryReference } = request.params;
    const { viewer } = accessOf(request);
    const head = await store.findRecordHead(db, registryReference, viewer, clock.now());
    if (head === undefined) throw new AppError('NOT_FOUND', 'no such record is visible');
    return head;
  };

  return {
    async readRecord(context: ApiContext, request: Request): Promise<Answer> {
      const { db, keyring, clock, config } = context;
      const { viewer, reader } = accessOf(request);
      const now = clock.now();
      const found = await findRecord(db, keyring, request.params.registryReference, viewer, now);
      if (found === undefined) throw new AppError('NOT_FOUND', 'no such record is visible');
      const { record, expiringWithinDays } = found;
      const day = { today: await readToday(db, config, now), expiringWithinDays };
      return { status: 200, data: presentRecord(record, day, reader) };
    },

    async listRecordVersions(context: ApiContext, request: Request & ListRequest): Promise<Answer> {
      const { db, keyring } = context;
      const head = await requireHead(context, request);
      const keyed = await store.readVersionPage(db, keyring, head.id, request.query);
      const room = makeAnswerRoom();
      const status = await statusOf(context, head);
      const listed = present.listVersions(keyed.rows, status, accessOf(request).reader, room);
      return pageOf(pageThatFits(keyed, present.withSnapshots(listed, keyed.rows, room)));
    },

    async readRecordVersion(
      context: ApiContext,
      request: Request & VersionRequest,
    ): Promise<Answer> {
      const { db, keyring } = context;
      const head = await requireHead(context, request);
      const row = await store.findVersion(db, keyring, head.id, Number(request.params.version));
      if (row === undefined) throw new AppError('NOT_FOUND', 'the record has no such version');
      const status = await statusOf(context, head);
      const { reader } = accessOf(request);
      return { status: 200, data: present.presentVersion(row, status, reader, makeAnswerRoom()) };
    },

    async listVersionVehicles(
      context: ApiContext,
      request: Request & VersionRequest & ListRequest,
    ): Promise<Answer> {
      const { db, keyring } = context;
      const head = await requireHead(context, request);
      const row = await store.findVersion(db, keyring, head.id, Number(request.params.version));
      const snapshot = row?.openSnapshot?.();
      if (snapshot === undefined) throw new AppError('NOT_FOUND', 'the record has no such version');
      return pageOf(pageWithin(snapshot.vehicles, request.query));
    },

    async listRecordAmendments(
      context: ApiContext,
      request: Request & ListRequest,
    ): Promise<Answer> {
      const { db, keyring } = context;
      const head = await requireHead(context, request);
      const keyed = await store.readAmendmentPage(db, keyring, head.id, request.query);
      const room = makeAnswerRoom();
      const listed = present.listAmendments(keyed.rows, accessOf(request).reader, room);
      return pageOf(pageThatFits(keyed, present.withDiffs(listed, keyed.rows, room)));
    },

    async listAmendmentDiff(
      context: ApiContext,
      request: Request & AmendmentRequest & ListRequest,
    ): Promise<Answer> {
      const { db, keyring } = context;
      const head = await requireHead(context, request);
      const toVersion = Number(request.params.toVersion);
      const diff = await store.findDiff<DiffEntry>(db, keyring, head.id, toVersion);
      if (diff === undefined) throw new AppError('NOT_FOUND', 'no amendment made such a version');
      return pageOf(pageWithin(maskDiff(diff), request.query));
    },

    async listRecordTransmissions(
      context: ApiContext,
      request: Request & ListRequest,
    ): Promise<Answer> {
      const head = await requireHead(context, request);
      const { viewer } = accessOf(request);
      const keyed = await store.readTransmissionPage(context.db, viewer, head.id, request.query);
      return pageOfRows(keyed, present.presentTransmission);
    },

    async listRecordVehicles(
      context: ApiContext,
      request: Request & ListRequest<VehicleHistoryQuery>,
    ): Promise<Answer> {
      const head = await requireHead(context, request);
      const keyed = await store.readVehiclePage(context.db, head.id, request.query);
      return pageOfRows(keyed, present.presentVehicle);
    },

    async listRecordFlags(
      context: ApiContext,
      request: Request & ListRequest<FlagHistoryQuery>,
    ): Promise<Answer> {
      const head = await requireHead(context, request);
      const { viewer, reader } = accessOf(request);
      const keyed = await store.readFlagPage(context.db, viewer, head.id, request.query);
      return pageOfRows(keyed, (flag) => present.presentFlag(flag, reader));
    },
  };
}

async function statusOf({ db, clock, config }: ApiContext, head: store.RecordHead) {
  const today = await readToday(db, config, clock.now());
  return coverageStatusOn(today, head, head.expiringWithinDays);
}

function pageOfRows<Row, Item>(keyed: KeyedRows<Row>, presentRow: (row: Row) => Item): Answer {
  return pageOf(pageThatFits(keyed, takeWhileFits(makeAnswerRoom(), keyed.rows.map(presentRow))));
}

function pageOf(page: Page<unknown>): Answer {
  return { status: 200, data: page };
}
