import { createHash } from 'node:crypto';
import { AppError } from '../contract/errors.ts';
import { makeFinding } from '../contract/findings.ts';
import { ANSWER_BYTES_MAX } from '../contract/machine/bounds.ts';
import { EXPORT_PAGE_ROWS, type Page, type PageWithoutTotal } from '../contract/machine/paging.ts';
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

/** The SQL parts of a list that is read page by page. */
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
  /** The filters of the list as one text, if a cursor must be refused with other filters. */
  readonly filters?: string;
  readonly limit: number;
  /** A subquery that counts the items of all pages. Default: the number of rows of `from` that meet `conditions`. */
  readonly total?: Prisma.Sql;
}

/** One condition of a search. `false` stands for a filter that the caller did not give. */
export type Condition = Prisma.Sql | false;

/** The given conditions joined by AND. */
export function allOf(conditions: readonly Condition[]): Prisma.Sql {
  const given = conditions.filter((condition) => condition !== false);
  return given.length === 0 ? Prisma.sql`true` : Prisma.join(given, ' AND ');
}

/**
 * Whether a column of text has one of the values. A single value is compared with `=`, so that an index on the column keeps the
 * order of the list.
 */
export function isOneOf(column: Prisma.Sql, values: readonly string[]): Prisma.Sql {
  const [first] = values;
  return values.length === 1
    ? Prisma.sql`${column} = ${first}`
    : Prisma.sql`${column} = ANY(${[...values]}::text[])`;
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

/** The rows of a page before they are cut to the size of an answer. */
export interface UncountedRows<Row> {
  readonly rows: readonly Row[];
  /** For each row, the cursor of the page that begins after it. */
  readonly cursors: readonly string[];
  readonly isLast: boolean;
}

export interface KeyedRows<Row> extends UncountedRows<Row> {
  readonly total: number;
}

/** Leaves room for the members that a row gains when it becomes an item. */
const PAGE_BYTES_MAX = ANSWER_BYTES_MAX - 100_000;

/**
 * Reads a page by keyset pagination: rows that are added or removed between two pages neither repeat nor hide others. The page
 * ends early if it would not fit into an answer (D33).
 * @throws {AppError} VALIDATION_FAILED for a cursor that this list did not give
 */
export async function readPage<Row extends object>(
  db: Pick<Tx, '$queryRaw'>,
  question: ListQuestion,
): Promise<Page<Row>> {
  const keyed = await readKeyedRows<Row>(db, question);
  return pageThatFits(keyed, takeWhileFits(makeAnswerRoom(PAGE_BYTES_MAX), keyed.rows));
}

/** Like `readPage`, for a list that is not counted. */
export async function readPageWithoutTotal<Row extends object>(
  db: Pick<Tx, '$queryRaw'>,
  question: Omit<ListQuestion, 'total'>,
): Promise<PageWithoutTotal<Row>> {
  const keyed = await readUncountedRows<Row>(db, question);
  return itemsThatFit(keyed, takeWhileFits(makeAnswerRoom(PAGE_BYTES_MAX), keyed.rows));
}

/** A search that selects the ids of a page's rows. */
export interface IdsQuestion extends Omit<ListQuestion, 'columns'> {
  /** The column of the id. */
  readonly id: Prisma.Sql;
}

/**
 * Reads a page in two steps: the search finds the ids, `readItems` reads the items in any order. The rows must never be deleted.
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
export function pageThatFits<Item>(keyed: KeyedRows<unknown>, items: readonly Item[]): Page<Item> {
  return { ...itemsThatFit(keyed, items), total: keyed.total };
}

function itemsThatFit<Item>(
  { rows, cursors, isLast }: UncountedRows<unknown>,
  items: readonly Item[],
): PageWithoutTotal<Item> {
  if (items.length === 0 && rows.length > 0) throw new Error('one item exceeds an answer');
  const isWhole = items.length === rows.length;
  return { items, nextCursor: isWhole && isLast ? null : (cursors[items.length - 1] ?? null) };
}

/** @throws {AppError} VALIDATION_FAILED for a cursor that this list did not give */
export async function readKeyedRows<Row extends object>(
  db: Pick<Tx, '$queryRaw'>,
  { total, ...question }: ListQuestion,
): Promise<KeyedRows<Row>> {
  const keyed = await readUncountedRows<Row>(db, question);
  // An export reads all rows, so nobody needs their number first.
  if (question.limit === EXPORT_PAGE_ROWS) return { ...keyed, total: 0 };
  const { from: tables, conditions } = question;
  const from = typeof tables === 'function' ? tables(Prisma.sql`true`) : tables;
  const count = total ?? Prisma.sql`(SELECT count(*)::int FROM ${from} WHERE ${allOf(conditions)})`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`SELECT ${count} AS total`;
  return { ...keyed, total: counted?.total ?? 0 };
}

async function readUncountedRows<Row extends object>(
  db: Pick<Tx, '$queryRaw'>,
  { columns, from: tables, conditions, keys, order, cursor, filters, limit }: ListQuestion,
): Promise<UncountedRows<Row>> {
  const after =
    cursor === undefined
      ? Prisma.sql`true`
      : isAfter(keys, order, readCursor(cursor, keys, filters));
  const from = typeof tables === 'function' ? tables(after) : tables;
  const direction = Prisma.raw(order);
  const orderBy = Prisma.join(keys.map(({ sql }) => Prisma.sql`${sql} ${direction}`));
  const key = Prisma.join(keys.map(({ sql }) => Prisma.sql`(${sql})::text`));
  const rows = await db.$queryRaw<(Row & { pageKey: string[] })[]>`
    SELECT ${columns}, ARRAY[${key}] AS "pageKey" FROM ${from}
    WHERE ${allOf(conditions)} AND ${after} ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  const shown = rows.slice(0, limit);
  return {
    rows: shown.map(({ pageKey: _pageKey, ...row }) => row as unknown as Row),
    cursors: shown.map(({ pageKey }) => writeCursor(pageKey, filters)),
    isLast: rows.length <= limit,
  };
}

/** A page of an ordered list in memory; a cursor contains an index. @throws {AppError} as readPage */
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

function writeCursor(key: readonly string[], filters?: string): string {
  return Buffer.from(JSON.stringify([...key, ...digestOf(filters)]), 'utf8').toString('base64url');
}

/** What a cursor contains besides its key. */
function digestOf(filters: string | undefined): string[] {
  if (filters === undefined) return [];
  return [createHash('sha256').update(filters).digest('base64url').slice(0, FILTERS_DIGEST_LENGTH)];
}

/** Long enough that no two filters that a caller uses have the same digest by chance. */
const FILTERS_DIGEST_LENGTH = 16;

function readCursor(cursor: string, keys: readonly PageKey[], filters?: string): readonly string[] {
  const values = parseCursor(cursor);
  const digest = digestOf(filters);
  const isOurs =
    Array.isArray(values) &&
    values.length === keys.length + digest.length &&
    keys.every(({ type }, at) => typeof values[at] === 'string' && IS_KEY[type](values[at]));
  const isOfFilters = isOurs && digest.every((one) => values[keys.length] === one);
  if (isOfFilters) return values as string[];
  const expected = 'Expected the nextCursor of the page before';
  throw new AppError('VALIDATION_FAILED', 'the cursor does not belong to this list', {
    details: [
      makeFinding(
        'INVALID_FORMAT',
        'cursor',
        filters === undefined ? `${expected}.` : `${expected}, with the same filters.`,
      ),
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
