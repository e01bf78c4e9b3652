import { isTerminal } from '../../contract/enums.ts';
import {
  statusesOf,
  type TransmissionListQuery,
  type TransmissionPage,
} from '../../contract/machine/transmissions/list.ts';
import { Prisma } from '../../db/generated/client.ts';
import { allOf, type Condition, readPageWithoutTotal } from '../../db/page.ts';
import type { Tx } from '../../db/prisma.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryOf } from './summary.ts';

const RECEIVED_AT = { sql: Prisma.sql`t.received_at`, type: 'timestamptz' } as const;
const SEQUENCE = { sql: Prisma.sql`t.sequence`, type: 'bigint' } as const;

/**
 * A page of an organization's own transmissions, the newest receipt first (D35). It reads the rows of some partial indexes
 * in their order, until the page is full. Filters that no index knows together, such as a kind and a batch, may read many rows for a
 * page. Run it in a transaction of its own.
 * @throws {AppError} VALIDATION_FAILED for a cursor of another organization or of other filters
 */
export async function listOwnTransmissions(
  tx: Tx,
  organizationId: string,
  query: TransmissionListQuery,
): Promise<TransmissionPage> {
  // With old statistics, the planner would read and sort all rows of an index instead of reading a page in its order.
  await tx.$executeRaw`SET LOCAL enable_sort = off`;
  const { cursor, limit, ...filters } = query;
  const conditions = conditionsOf(organizationId, query);
  const readIndex = (index: Prisma.Sql, isAfterCursor: Prisma.Sql) => Prisma.sql`
    (SELECT t.* FROM transmissions t WHERE ${index} AND ${allOf(conditions)} AND ${isAfterCursor}
      ORDER BY t.received_at DESC, t.sequence DESC LIMIT ${limit + 1}::int)`;
  const page = await readPageWithoutTotal<SummaryRow>(tx, {
    columns: SUMMARY_COLUMNS,
    from: (isAfterCursor) => {
      const parts = indexesFor(query).map((index) => readIndex(index, isAfterCursor));
      return Prisma.sql`(${Prisma.join(parts, ' UNION ALL ')}) AS t`;
    },
    conditions: [],
    keys: [RECEIVED_AT, SEQUENCE],
    order: 'DESC',
    cursor,
    filters: JSON.stringify([organizationId, filters]),
    limit,
  });
  return { items: page.items.map(summaryOf), nextCursor: page.nextCursor };
}

// The conditions of the partial indexes. They are literal, because the planner must see that they imply the index's own.
const IS_OPEN = Prisma.sql`coalesce(t.completed_at, 'infinity') = 'infinity'`;
const IS_TERMINAL = Prisma.sql`t.status IN ('ACCEPTED', 'FLAGGED', 'REJECTED')`;
const IS_FLAGGED = Prisma.sql`t.status = 'FLAGGED'`;
const IS_REJECTED = Prisma.sql`t.status = 'REJECTED'`;
const IS_CHANGE = Prisma.sql`t.kind <> 'CREATE'`;
// Those of the two indexes by batch. A row of a batch meets the rest of their conditions anyway.
const IS_OPEN_IN_BATCH = Prisma.sql`t.completed_at IS NULL`;
const IS_COMPLETED_IN_BATCH = Prisma.sql`t.completed_at IS NOT NULL`;

/** The conditions of the indexes that together contain every row of the list. No row is in two of them. */
function indexesFor(query: TransmissionListQuery): Prisma.Sql[] {
  const statuses = statusesOf(query);
  const terminal = statuses.filter(isTerminal);
  const isInBatch = query.batch !== undefined;
  const open = statuses.length > terminal.length ? [isInBatch ? IS_OPEN_IN_BATCH : IS_OPEN] : [];
  if (statuses.length === 0) return [Prisma.sql`false`];
  if (!terminal.includes('ACCEPTED'))
    return [...open, ...terminal.map((one) => (one === 'FLAGGED' ? IS_FLAGGED : IS_REJECTED))];
  if (isInBatch) return [...open, IS_COMPLETED_IN_BATCH];
  return isChange(query) ? [IS_CHANGE] : [...open, IS_TERMINAL];
}

function isChange({ kind = 'CREATE' }: TransmissionListQuery): boolean {
  return kind !== 'CREATE';
}

function conditionsOf(organizationId: string, query: TransmissionListQuery): Condition[] {
  const { kind, errorCode, batch, receivedFrom, receivedTo } = query;
  return [
    Prisma.sql`t.organization_id = ${organizationId}::uuid`,
    Prisma.sql`t.status = ANY(${statusesOf(query)}::text[])`,
    kind !== undefined && Prisma.sql`t.kind = ${kind}`,
    errorCode !== undefined && Prisma.sql`t.error_code = ${errorCode}`,
    batch !== undefined && Prisma.sql`t.batch = ${batch}`,
    receivedFrom !== undefined && Prisma.sql`t.received_at >= ${receivedFrom}::timestamptz`,
    receivedTo !== undefined && Prisma.sql`t.received_at < ${receivedTo}::timestamptz`,
  ];
}
