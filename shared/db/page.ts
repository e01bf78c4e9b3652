import { AppError } from '../contract/errors.ts';
import { makeFinding } from '../contract/findings.ts';
import { ANSWER_BYTES_MAX } from '../contract/machine/bounds.ts';
import type { Page } from '../contract/machine/paging.ts';
import { isCalendarDate } from '../domain/calendar.ts';
import { makeAnswerRoom, takeWhileFits } from '../domain/presentation/answer-room.ts';
import { Prisma } from './generated/client.ts';
import type { Tx } from './prisma.ts';

/** Whether PostgreSQL can read a text as a key of this type. A caller may have forged the cursor that holds it. */
const IS_KEY = {
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  timestamptz: (text) =>
    /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?\+00$/.test(text) &&
    isCalendarDate(text.slice(0, 10)),
  date: isCalendarDate,
  text: (text) => !text.includes('\0') && !/\p{Surrogate}/u.test(text),
} as const satisfies Record<string, (text: string) => boolean>;

/** A column that a list is ordered by. It must not be null, and the keys of a list together must be unique. */
export interface PageKey {
  readonly sql: Prisma.Sql;
  readonly type: keyof typeof IS_KEY;
}

/** A list that is read page by page, as the parts of its SQL. */
export interface ListQuestion {
  /** The select list, each column `AS "memberOfRow"`. */
  readonly columns: Prisma.Sql;
  /** Tables and joins, without the word FROM. A function when a subquery in it has a limit and needs the condition of the page. */
  readonly from: Prisma.Sql | ((isAfterCursor: Prisma.Sql) => Prisma.Sql);
  readonly conditions: readonly Condition[];
  /** One or two. */
  readonly keys: readonly [PageKey] | readonly [PageKey, PageKey];
  readonly order: 'ASC' | 'DESC';
  readonly cursor: string | undefined;
  readonly limit: number;
  /** A subquery that counts the items of all pages. Left out, the rows of `from` that meet `conditions` are counted. */
  readonly total?: Prisma.Sql;
}

/** One condition of a search. `false` stands for a filter that the caller did not give. */
export type Condition = Prisma.Sql | false;

/** The given conditions joined by AND. */
export function allOf(conditions: readonly Condition[]): Prisma.Sql {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? Prisma.sql`true` : Prisma.join(given, ' AND ');
}

/** The order of a list whose newest rows come first; `table` is the alias of a table with `created_at` and a uuid `id`. */
export function newestFirst(table: string): Pick<ListQuestion, 'keys' | 'order'> {
  return {
    keys: [
      { sql: Prisma.raw(`${table}.created_at`), type: 'timestamptz' },
      { sql: Prisma.raw(`${table}.id`), type: 'uuid' },
    ],
    order: 'DESC',
  };
}

/** The rows of a page, before it is known how many of them fit into an answer. */
export interface KeyedRows<Row> {
  readonly rows: readonly Row[];
  /** For each row, the cursor of the page that begins after it. */
  readonly cursors: readonly string[];
  readonly isLast: boolean;
  readonly total: number;
}

/** Leaves room for what a row gains when it becomes an item. */
const PAGE_BYTES_MAX = ANSWER_BYTES_MAX - 100_000;

/**
 * A page by keyset pagination: rows that are added or removed between two pages neither repeat nor hide others. It ends early
 * where it would not fit into an answer (D33).
 * @throws {AppError} VALIDATION_FAILED for a cursor that this list did not give
 */
export async function readPage<Row extends object>(
  db: Pick<Tx, '$queryRaw'>,
  question: ListQuestion,
): Promise<Page<Row>> {
  const keyed = await readKeyedRows<Row>(db, question);
  return pageThatFits(keyed, takeWhileFits(makeAnswerRoom(PAGE_BYTES_MAX), keyed.rows));
}

/** A search that names the rows of a page by their ids. */
export interface IdsQuestion extends Omit<ListQuestion, 'columns'> {
  /** The column of the id. */
  readonly id: Prisma.Sql;
}

/**
 * The page of a list of rows that are never deleted: the search finds their ids, `readItems` reads them in any order.
 * @throws {AppError} as readPage
 */
export async function readPageById<Item extends { readonly id: string }>(
  db: Pick<Tx, '$queryRaw'>,
  { id, ...question }: IdsQuestion,
  readItems: (ids: string[]) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const keyed = await readKeyedRows<{ id: string }>(db, {
    ...question,
    columns: Prisma.sql`${id}::text AS id`,
  });
  const ids = keyed.rows.map((row) => row.id);
  const byId = new Map((await readItems(ids)).map((item) => [item.id, item]));
  const items = ids.flatMap((one) => byId.get(one) ?? []);
  return pageThatFits(keyed, takeWhileFits(makeAnswerRoom(PAGE_BYTES_MAX), items));
}

/** `items` are the first rows, as many as fit. */
export function pageThatFits<Item>(
  { rows, cursors, isLast, total }: KeyedRows<unknown>,
  items: readonly Item[],
): Page<Item> {
  if (items.length === 0 && rows.length > 0) throw new Error('one item exceeds an answer');
  const isWhole = items.length === rows.length;
  return {
    items,
    nextCursor: isWhole && isLast ? null : (cursors[items.length - 1] ?? null),
    total,
  };
}

/** @throws {AppError} VALIDATION_FAILED for a cursor that this list did not give */
export async function readKeyedRows<Row extends object>(
  db: Pick<Tx, '$queryRaw'>,
  { columns, from: tables, conditions, keys, order, cursor, limit, total }: ListQuestion,
): Promise<KeyedRows<Row>> {
  const filter = allOf(conditions);
  const after =
    cursor === undefined ? Prisma.sql`true` : isAfter(keys, order, readCursor(cursor, keys));
  const from = typeof tables === 'function' ? tables(after) : tables;
  const direction = Prisma.raw(order);
  const orderBy = Prisma.join(keys.map(({ sql }) => Prisma.sql`${sql} ${direction}`));
  const key = Prisma.join(keys.map(({ sql }) => Prisma.sql`(${sql})::text`));
  const rows = await db.$queryRaw<(Row & { pageKey: string[] })[]>`
    SELECT ${columns}, ARRAY[${key}] AS "pageKey" FROM ${from}
    WHERE ${filter} AND ${after} ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  const count = total ?? Prisma.sql`(SELECT count(*)::int FROM ${from} WHERE ${filter})`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`SELECT ${count} AS total`;
  const shown = rows.slice(0, limit);
  return {
    rows: shown.map(({ pageKey: _pageKey, ...row }) => row as unknown as Row),
    cursors: shown.map(({ pageKey }) => writeCursor(pageKey)),
    isLast: rows.length <= limit,
    total: counted?.total ?? 0,
  };
}

/** A page of a list in memory, in its order; a cursor is an index in it. @throws {AppError} as readPage */
export function pageWithin<Item>(
  all: readonly Item[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Page<Item> {
  const place = [{ sql: Prisma.empty, type: 'bigint' }] as const;
  const [after] = cursor === undefined ? [] : readCursor(cursor, place);
  const start = after === undefined ? 0 : Math.max(Number(after) + 1, 0);
  const rows = all.slice(start, start + limit);
  const keyed = {
    rows,
    cursors: rows.map((_row, at) => writeCursor([String(start + at)])),
    isLast: start + rows.length >= all.length,
    total: all.length,
  };
  return pageThatFits(keyed, takeWhileFits(makeAnswerRoom(PAGE_BYTES_MAX), rows));
}

function isAfter(
  keys: readonly PageKey[],
  order: 'ASC' | 'DESC',
  values: readonly string[],
): Prisma.Sql {
  const columns = Prisma.join(keys.map(({ sql }) => sql));
  const bounds = Prisma.join(
    keys.map(({ type }, at) => Prisma.sql`${values[at]}::text::${Prisma.raw(type)}`),
  );
  return Prisma.sql`(${columns}) ${Prisma.raw(order === 'ASC' ? '>' : '<')} (${bounds})`;
}

function writeCursor(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key), 'utf8').toString('base64url');
}

function readCursor(cursor: string, keys: readonly PageKey[]): readonly string[] {
  const values = parseCursor(cursor);
  const isOurs =
    Array.isArray(values) &&
    values.length === keys.length &&
    keys.every(({ type }, at) => typeof values[at] === 'string' && IS_KEY[type](values[at]));
  if (isOurs) return values as string[];
  throw new AppError('VALIDATION_FAILED', 'cursor is not one of this list', {
    details: [
      makeFinding('INVALID_FORMAT', 'cursor', 'Expected the nextCursor of the page before.'),
    ],
  });
}

function parseCursor(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
