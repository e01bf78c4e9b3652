import { makeConflict } from '../../contract/conflict.ts';
import type { Page } from '../../contract/machine/paging.ts';
import {
  PARKED_GROUPS_MAX,
  type ParkedFilter,
  type ParkedGroups,
  type ParkedQuery,
  SEND_AGAIN_MAX,
  type SentAgain,
} from '../../contract/staff/queue.ts';
import type { TransmissionItem } from '../../contract/staff/records.ts';
import { Prisma } from '../../db/generated/client.ts';
import { allOf, type Condition, readPage } from '../../db/page.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { type By, recordAudit } from '../staff/audit.ts';
import {
  requireTransmissionDetail,
  TRANSMISSION_COLUMNS,
  TRANSMISSION_TABLES,
  type TransmissionRow,
  transmissionItemOf,
} from '../staff/transmissions.ts';

/** What to enqueue after the commit. */
export interface Woken {
  readonly id: string;
  readonly requestId: string;
}

export interface SendingAgain {
  readonly answer: SentAgain;
  readonly woken: readonly Woken[];
}

const IS_PARKED = Prisma.sql`t.parked_at IS NOT NULL AND t.status IN ('RECEIVED', 'VALIDATING')`;

/** The longest parked first. */
export async function listParked(db: Db, query: ParkedQuery): Promise<Page<TransmissionItem>> {
  const page = await readPage<TransmissionRow>(db, {
    columns: TRANSMISSION_COLUMNS,
    from: TRANSMISSION_TABLES,
    conditions: [IS_PARKED, ...filtersOf(query)],
    keys: [
      { sql: Prisma.sql`t.parked_at`, type: 'timestamptz' },
      { sql: Prisma.sql`t.id`, type: 'uuid' },
    ],
    order: 'ASC',
    cursor: query.cursor,
    limit: query.limit,
  });
  return { ...page, items: page.items.map(transmissionItemOf) };
}

interface GroupRow {
  readonly lastError: string | null;
  readonly count: number;
  readonly firstParkedAt: Date;
  readonly lastParkedAt: Date;
  readonly total: number;
}

/** By the text of the last error, the largest group first. It reads the index of parked transmissions alone. */
export async function groupParked(db: Db, filter: ParkedFilter): Promise<ParkedGroups> {
  const rows = await db.$queryRaw<GroupRow[]>`
    SELECT t.last_error AS "lastError", count(*)::int AS count, min(t.parked_at) AS "firstParkedAt",
      max(t.parked_at) AS "lastParkedAt", (sum(count(*)) OVER ())::int AS total
    FROM transmissions t WHERE ${allOf([IS_PARKED, ...filtersOf(filter)])}
    GROUP BY t.last_error ORDER BY count DESC, t.last_error LIMIT ${PARKED_GROUPS_MAX}`;
  return {
    total: rows[0]?.total ?? 0,
    groups: rows.map(({ lastError, count, firstParkedAt, lastParkedAt }) => ({
      lastError,
      count,
      firstParkedAt: firstParkedAt.toISOString(),
      lastParkedAt: lastParkedAt.toISOString(),
    })),
  };
}

function filtersOf(filter: ParkedFilter): Condition[] {
  const { kind, organizationCode, lastError, parkedFrom, parkedTo } = filter;
  return [
    kind !== undefined && Prisma.sql`t.kind = ${kind}`,
    organizationCode !== undefined &&
      Prisma.sql`t.organization_id = (SELECT id FROM organizations WHERE code = ${organizationCode})`,
    lastError !== undefined && Prisma.sql`position(${lastError} IN t.last_error) > 0`,
    parkedFrom !== undefined && Prisma.sql`t.parked_at >= ${parkedFrom}::timestamptz`,
    parkedTo !== undefined && Prisma.sql`t.parked_at < ${parkedTo}::timestamptz`,
  ];
}

/** @throws {AppError} NOT_FOUND, CONFLICT when it is not parked (D71) */
export async function sendAgain(
  tx: Tx,
  transmissionReference: string,
  by: By,
): Promise<SendingAgain> {
  const isIt = Prisma.sql`t.transmission_reference = ${transmissionReference}`;
  const [unparked] = await unpark(tx, [isIt], 1);
  if (unparked === undefined) {
    const current = await requireTransmissionDetail(tx, transmissionReference);
    throw makeConflict('NOT_PARKED', {
      reason: 'the transmission is not parked',
      message: `This transmission is not parked: it is ${current.status}.`,
      current,
    });
  }
  const { id, requestId, ...before } = unparked;
  await recordAudit(tx, {
    ...by,
    action: 'TRANSMISSION_SENT_AGAIN',
    target: { type: 'TRANSMISSION', id: transmissionReference },
    before,
    after: { parkedAt: null, attempts: 0, failures: 0 },
  });
  return { answer: { sent: 1, left: 0 }, woken: [{ id, requestId }] };
}

/** At most SEND_AGAIN_MAX, the longest parked first; rows that another request sends at the moment are skipped. */
export async function sendAllAgain(tx: Tx, filter: ParkedFilter, by: By): Promise<SendingAgain> {
  const conditions = filtersOf(filter);
  const unparked = await unpark(tx, conditions, SEND_AGAIN_MAX);
  const [counted] = await tx.$queryRaw<{ parked: number }[]>`
    SELECT count(*)::int AS parked FROM transmissions t
    WHERE ${allOf([IS_PARKED, ...conditions])}`;
  const answer = { sent: unparked.length, left: counted?.parked ?? 0 };
  await recordAudit(tx, {
    ...by,
    action: 'TRANSMISSIONS_SENT_AGAIN',
    target: { type: 'QUEUE', id: null },
    before: { transmissions: unparked.map(({ id: _id, requestId: _requestId, ...one }) => one) },
    after: { filter, ...answer },
  });
  return { answer, woken: unparked.map(({ id, requestId }) => ({ id, requestId })) };
}

interface Unparked {
  readonly id: string;
  readonly requestId: string;
  readonly transmissionReference: string;
  readonly parkedAt: Date;
  readonly attempts: number;
  readonly failures: number;
  readonly lastError: string | null;
}

/** Time for the job of this request to arrive before the sweeper enqueues another. */
const SWEEP_GRACE_SECONDS = 5;

/** The rows become due at once, with all their attempts ahead. Returns their earlier values. */
function unpark(tx: Tx, conditions: readonly Condition[], limit: number): Promise<Unparked[]> {
  return tx.$queryRaw<Unparked[]>`
    WITH parked AS MATERIALIZED (
      SELECT t.id, t.parked_at, t.attempts, t.failures FROM transmissions t
      WHERE ${allOf([IS_PARKED, ...conditions])}
      ORDER BY t.parked_at, t.id LIMIT ${limit}
      FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE transmissions t SET parked_at = NULL, failures = 0, attempts = 0, due_at = now(),
      sweep_at = now() + make_interval(secs => ${SWEEP_GRACE_SECONDS})
    -- An array, so that the rows are found by their ids however many the planner expects.
    FROM parked WHERE t.id = parked.id AND t.id = ANY(ARRAY(SELECT id FROM parked))
    RETURNING t.id::text, t.request_id AS "requestId", t.transmission_reference AS "transmissionReference",
      parked.parked_at AS "parkedAt", parked.attempts, parked.failures, t.last_error AS "lastError"`;
}
