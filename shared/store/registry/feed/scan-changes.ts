import { Prisma } from '../../../db/generated/client.ts';
import type { Db } from '../../../db/prisma.ts';
import type { Viewer } from '../../intake/transmissions.ts';
import { REGULATOR_FEED } from './change-types.ts';

/** A place in a feed. Transaction ids and sequence numbers exceed what a JavaScript number holds. */
export interface FeedPosition {
  readonly xid: bigint;
  readonly seq: bigint;
}

export const FEED_START: FeedPosition = { xid: 0n, seq: 0n };

/** A row of `changes`, not yet checked for visibility. */
export interface ScannedChange extends FeedPosition {
  readonly type: number;
  readonly transmissionId: string | null;
  readonly certificateId: string | null;
  readonly flagId: string | null;
  readonly version: number | null;
}

/** The state of the cluster's transactions when a statement read it. */
export interface FeedSnapshot {
  /** The horizon: every transaction with a lower id has ended. It never goes back. */
  readonly oldest: bigint;
  /** Every transaction that was committed before `at` has a lower id. */
  readonly next: bigint;
  readonly at: Date;
}

export interface FeedScan extends FeedSnapshot {
  /** The epoch of the database's feeds. */
  readonly epoch: string;
  readonly changes: readonly ScannedChange[];
}

interface SnapshotRow {
  readonly oldest: string;
  readonly next: string;
  readonly at: Date;
}

interface ScanRow extends SnapshotRow {
  readonly epoch: string;
  /** Null in the only row of an empty scan. */
  readonly changeXid: string | null;
  readonly changeSeq: string;
  readonly type: number;
  readonly transmissionId: string | null;
  readonly certificateId: string | null;
  readonly flagId: string | null;
  readonly version: number | null;
}

/**
 * Reads the changes of the viewer's feed after a position, up to the horizon, in the order of the feed.
 *
 * Rows and horizon must come from one statement, because a transaction may commit between two. The order must be that of the
 * columns: their text has another order, so no output column may have the name `xid`. Never read from a standby (D37).
 */
export function scanChanges(
  db: Pick<Db, '$queryRaw'>,
  viewer: Viewer,
  after: FeedPosition,
  rowsMax: number,
): Promise<FeedScan> {
  return scan(
    db,
    Prisma.sql`
      SELECT * FROM changes
      WHERE organization_id = ${feedOf(viewer)}::uuid
        AND (changes.xid, changes.seq) > (${String(after.xid)}::text::xid8, ${String(after.seq)}::text::bigint)
        AND changes.xid < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY changes.xid, changes.seq LIMIT ${rowsMax}::int`,
  );
}

/** The last change of the viewer's feed up to the horizon; none in an empty feed. */
export function scanLastChange(db: Pick<Db, '$queryRaw'>, viewer: Viewer): Promise<FeedScan> {
  return scan(
    db,
    Prisma.sql`
      SELECT * FROM changes
      WHERE organization_id = ${feedOf(viewer)}::uuid
        AND changes.xid < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY changes.xid DESC, changes.seq DESC LIMIT 1`,
  );
}

/** Reads these rows of `changes` and the horizon in one statement. */
async function scan(db: Pick<Db, '$queryRaw'>, changes: Prisma.Sql): Promise<FeedScan> {
  const rows = await db.$queryRaw<ScanRow[]>`
    SELECT horizon.*, change.xid::text AS "changeXid", change.seq::text AS "changeSeq", change.type,
      change.transmission_id AS "transmissionId", change.certificate_id AS "certificateId",
      change.flag_id AS "flagId", change.version
    FROM (${SNAPSHOT}) AS horizon LEFT JOIN LATERAL (${changes}) AS change ON true
    ORDER BY change.xid, change.seq`;
  const [first] = rows;
  if (first === undefined) throw new Error('the feed has no epoch');
  return {
    ...snapshotOf(first),
    epoch: first.epoch,
    changes: rows.flatMap(({ changeXid, changeSeq, ...row }) =>
      changeXid === null ? [] : [{ ...row, xid: BigInt(changeXid), seq: BigInt(changeSeq) }],
    ),
  };
}

const SNAPSHOT = Prisma.sql`
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest,
    pg_snapshot_xmax(pg_current_snapshot())::text AS next, now() AS at, epoch::text AS epoch
  FROM feed_epoch`;

export async function readSnapshot(db: Pick<Db, '$queryRaw'>): Promise<FeedSnapshot> {
  const [row] = await db.$queryRaw<SnapshotRow[]>`${SNAPSHOT}`;
  if (row === undefined) throw new Error('the feed has no epoch');
  return snapshotOf(row);
}

/** A viewer who waits for a change after a position. */
export interface FeedWait {
  readonly viewer: Viewer;
  readonly after: FeedPosition;
}

/** For each wait, in their order, whether its feed has a change to read. One statement for all. */
export async function findChanged(
  db: Pick<Db, '$queryRaw'>,
  waits: readonly FeedWait[],
): Promise<boolean[]> {
  const rows = await db.$queryRaw<{ hasChanged: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM changes
      WHERE changes.organization_id = wait.organization_id
        AND (changes.xid, changes.seq) > (wait.xid::xid8, wait.seq::bigint)
        AND changes.xid < pg_snapshot_xmin(pg_current_snapshot())) AS "hasChanged"
    FROM unnest(${waits.map(({ viewer }) => feedOf(viewer))}::uuid[],
      ${waits.map(({ after }) => String(after.xid))}::text[],
      ${waits.map(({ after }) => String(after.seq))}::text[])
      WITH ORDINALITY AS wait (organization_id, xid, seq, place)
    ORDER BY wait.place`;
  return rows.map(({ hasChanged }) => hasChanged);
}

/** The regulator's organizations share a feed of all changes. */
function feedOf({ isRegulator, organizationId }: Viewer): string {
  return isRegulator ? REGULATOR_FEED : organizationId;
}

function snapshotOf({ oldest, next, at }: SnapshotRow): FeedSnapshot {
  return { oldest: BigInt(oldest), next: BigInt(next), at };
}
