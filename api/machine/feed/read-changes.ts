import { AppError } from '../../../shared/contract/errors.ts';
import { type FindingCode, makeFinding } from '../../../shared/contract/findings.ts';
import {
  AFTER_NOW,
  type ChangesPage,
  readChangeTypes,
} from '../../../shared/contract/machine/changes.ts';
import { makeAnswerRoom, takeWhileFits } from '../../../shared/domain/presentation/answer-room.ts';
import type { Viewer } from '../../../shared/store/intake/transmissions.ts';
import { CHANGE_TYPE_NUMBERS } from '../../../shared/store/registry/feed/change-types.ts';
import {
  feedIdOf,
  type ReadCursor,
  readCursor,
  writeCursor,
} from '../../../shared/store/registry/feed/feed-cursor.ts';
import {
  readChanges as readVisible,
  type VisibleChange,
} from '../../../shared/store/registry/feed/read-changes.ts';
import {
  FEED_START,
  type FeedPosition,
  type FeedScan,
  type ScannedChange,
  scanChanges,
  scanLastChange,
} from '../../../shared/store/registry/feed/scan-changes.ts';
import type { ApiContext } from '../../context.ts';
import { preferenceHeaders } from '../../http/prefer.ts';
import type { Answer } from '../../http/respond.ts';
import type { MachineRequest } from '../request.ts';
import { viewerOf } from '../viewer.ts';
import { presentChanges } from './present-changes.ts';

type Query = MachineRequest<'readChanges'>['query'];

/** To find an item, a page reads at most this many changes of other types, or that the caller no longer sees. */
const SCANNED_MAX = 5_000;
/** Most feeds have an item among the first `limit` changes. Further ones are checked for visibility in larger steps. */
const CHECKED_MAX = 500;

/** D37: the changes after a cursor. `Prefer: wait` holds an empty answer until there is a change. */
export async function readChanges(
  context: ApiContext,
  { query, prefer, submitter, signal }: MachineRequest<'readChanges'>,
): Promise<Answer> {
  const viewer = viewerOf(submitter);
  const endsAt = performance.now() + (prefer.waitSeconds ?? 0) * 1_000;
  const waitAfter = ({ position }: Start) =>
    context.feedWaiters.wait({ viewer, after: position }, endsAt - performance.now(), signal);

  let read = await readPage(context, viewer, query, await startOf(context, viewer, query));
  while (read.page.items.length === 0 && read.page.caughtUp && (await waitAfter(read.next))) {
    read = await readPage(context, viewer, query, read.next);
  }
  const headers = preferenceHeaders({ ...prefer, respondAsync: false });
  return { status: 200, data: read.page, headers };
}

/** Where a page starts: after a position of this feed. Of the beginning, the feed does not matter. */
interface Start {
  readonly feed: string | undefined;
  readonly position: FeedPosition;
}

async function startOf({ db }: ApiContext, viewer: Viewer, { after }: Query): Promise<Start> {
  if (after === undefined) return { feed: undefined, position: FEED_START };
  if (after !== AFTER_NOW) return readCursorOf(after);
  const { epoch, changes } = await scanLastChange(db, viewer);
  return { feed: feedIdOf(viewer, epoch), position: changes[0] ?? FEED_START };
}

interface PageRead {
  readonly page: ChangesPage;
  /** What `page.next` says. */
  readonly next: Start;
}

/** Like following `next` of pages without an item, so a former lead insurer of a pool does not get one such page after another. */
async function readPage(
  context: ApiContext,
  viewer: Viewer,
  query: Query,
  start: Start,
): Promise<PageRead> {
  if (query.types !== undefined) return scanPage(context, viewer, query, start, SCANNED_MAX);
  // One more than the limit tells whether the page is the last.
  const read = await scanPage(context, viewer, query, start, query.limit + 1);
  const isFound = read.page.items.length > 0 || read.page.caughtUp;
  return isFound ? read : scanPage(context, viewer, query, read.next, SCANNED_MAX);
}

/** Reads up to `rowsMax` changes, as far as the first item and those that fit into a page with it. */
async function scanPage(
  context: ApiContext,
  viewer: Viewer,
  { limit, types, include }: Query,
  start: Start,
  rowsMax: number,
): Promise<PageRead> {
  const { db, feedMark } = context;
  const scan = await scanChanges(db, viewer, start.position, rowsMax);
  const { mark } = feedMark.observe(scan);
  const feed = feedIdOf(viewer, scan.epoch);
  requireSameFeed(start, feed, scan);

  const numbers: readonly number[] = readChangeTypes(types).map(
    (type) => CHANGE_TYPE_NUMBERS[type],
  );
  const wanted = scan.changes.filter(({ type }) => numbers.includes(type));
  const { visible, limitedAfter } = await findVisible(db, viewer, wanted, limit);
  const items = await presentChanges(context, visible, feed, include === 'record');
  const fitting = takeWhileFits(makeAnswerRoom(), items);

  const last = lastOf({
    cutAfter: fitting.length < items.length ? visible[fitting.length - 1]?.change : undefined,
    limitedAfter,
    scannedTo: scan.changes.length === rowsMax ? scan.changes.at(-1) : undefined,
  });
  // Never the horizon: after a crash, PostgreSQL uses the ids of transactions that rolled back again.
  const position = last ?? scan.changes.at(-1) ?? start.position;
  const page = {
    items: fitting,
    next: writeCursor(feed, position),
    caughtUp: last === undefined,
    highWaterMark: mark?.toISOString() ?? null,
  };
  return { page, next: { feed, position } };
}

interface Found {
  /** At most `limit`. Empty if the caller sees none of the wanted changes. */
  readonly visible: readonly VisibleChange[];
  /** The last change that was looked at, if not all were. */
  readonly limitedAfter: ScannedChange | undefined;
}

/** The first of the wanted changes that the caller sees, and those after it that were checked with it. */
async function findVisible(
  db: ApiContext['db'],
  viewer: Viewer,
  wanted: readonly ScannedChange[],
  limit: number,
): Promise<Found> {
  let checkedTo = limit;
  let visible = await readVisible(db, viewer, wanted.slice(0, checkedTo));
  while (visible.length === 0 && checkedTo < wanted.length) {
    const checked = wanted.slice(checkedTo, checkedTo + CHECKED_MAX);
    visible = await readVisible(db, viewer, checked);
    checkedTo += CHECKED_MAX;
  }
  if (visible.length > limit) {
    const shown = visible.slice(0, limit);
    return { visible: shown, limitedAfter: shown.at(-1)?.change };
  }
  return { visible, limitedAfter: checkedTo < wanted.length ? wanted[checkedTo - 1] : undefined };
}

/** The change with which a page ends early, because the answer, the page or the scan is full; undefined when none is. */
function lastOf(ends: {
  readonly cutAfter: ScannedChange | undefined;
  readonly limitedAfter: ScannedChange | undefined;
  readonly scannedTo: ScannedChange | undefined;
}): ScannedChange | undefined {
  return ends.cutAfter ?? ends.limitedAfter ?? ends.scannedTo;
}

function readCursorOf(after: string): ReadCursor {
  const cursor = readCursor(after);
  if (cursor !== undefined) return cursor;
  throw refuse('INVALID_FORMAT', 'Expected the `next` of an earlier page, or `now`.');
}

/**
 * A cursor beyond the horizon is of a database that was restored, or failed over to a standby that lost its last transactions.
 */
function requireSameFeed(start: Start, feed: string, scan: FeedScan): void {
  const isSame = start.feed === undefined || start.feed === feed;
  if (isSame && start.position.xid <= scan.oldest) return;
  throw refuse(
    'CURSOR_UNKNOWN',
    "This cursor is not one of your organization's feed, or the registry was restored since: start from the beginning, without `after`.",
  );
}

function refuse(code: FindingCode, message: string): AppError {
  return new AppError('VALIDATION_FAILED', 'the cursor does not belong to this feed', {
    details: [makeFinding(code, 'after', message)],
  });
}
