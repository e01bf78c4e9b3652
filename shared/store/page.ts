import { AppError } from '../contract/errors.ts';
import { makeFinding } from '../contract/findings.ts';
import type { Page } from '../contract/paging.ts';
import { isCalendarDate } from '../domain/calendar.ts';
import type { RawDb } from './db.ts';
import { Prisma } from './generated/client.ts';

/** Whether PostgreSQL can read a text as a key of this type: what a cursor holds may come from anybody. */
const IS_KEY = {
  bigint: (text) => /^-?\d{1,18}$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  timestamptz: (text) =>
    /^\d{4}-\d{2}-\d{2} ([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,6})?\+00$/.test(text) &&
    isCalendarDate(text.slice(0, 10)),
  date: isCalendarDate,
  text: (text) => !text.includes('\0') && !/\p{Surrogate}/u.test(text),
} as const satisfies Record<string, (text: string) => boolean>;

/** A column of the order; it must not be null, and all of them together must be unique. */
export interface PageKey {
  readonly sql: Prisma.Sql;
  readonly type: keyof typeof IS_KEY;
}

export interface ListQuestion {
  /** Select list, each item `AS "memberOfRow"`. */
  readonly columns: Prisma.Sql;
  /** Tables with their joins, without the word FROM. */
  readonly from: Prisma.Sql;
  /** Joined by AND. */
  readonly conditions: readonly Prisma.Sql[];
  /** One or two. */
  readonly keys: readonly [PageKey] | readonly [PageKey, PageKey];
  readonly order: 'ASC' | 'DESC';
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * A page by keyset: rows that are added or removed meanwhile neither repeat nor hide others.
 * @throws {AppError} VALIDATION_FAILED for a cursor that this list did not give
 */
export async function readPage<Row extends object>(
  db: Pick<RawDb, '$queryRaw'>,
  { columns, from, conditions, keys, order, cursor, limit }: ListQuestion,
): Promise<Page<Row>> {
  const filter = conditions.length === 0 ? Prisma.sql`true` : Prisma.join([...conditions], ' AND ');
  const after =
    cursor === undefined ? Prisma.sql`true` : isAfter(keys, order, readCursor(cursor, keys));
  const direction = Prisma.raw(order);
  const orderBy = Prisma.join(keys.map(({ sql }) => Prisma.sql`${sql} ${direction}`));
  const key = Prisma.join(keys.map(({ sql }) => Prisma.sql`(${sql})::text`));
  const rows = await db.$queryRaw<(Row & { pageKey: string[] })[]>`
    SELECT ${columns}, ARRAY[${key}] AS "pageKey" FROM ${from}
    WHERE ${filter} AND ${after} ORDER BY ${orderBy} LIMIT ${limit + 1}`;
  const [counted] = await db.$queryRaw<{ total: number }[]>`
    SELECT count(*)::int AS total FROM ${from} WHERE ${filter}`;
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ pageKey: _pageKey, ...row }) => row as unknown as Row),
    nextCursor: rows.length > limit && last !== undefined ? writeCursor(last.pageKey) : null,
    total: counted?.total ?? 0,
  };
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
