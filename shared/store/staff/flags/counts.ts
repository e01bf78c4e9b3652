import type { FlagFilter } from '../../../contract/staff/flags.ts';
import {
  FLAG_AGES,
  FLAGS_COUNTED_MAX,
  type FlagCounts,
} from '../../../contract/staff/views/overview.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { allOf } from '../../../db/page.ts';
import type { Db } from '../../../db/prisma.ts';
import { daysBefore, FLAG_TABLES, flagConditions } from './read-flags.ts';

type Status = FlagCounts['byStatus'][number]['status'];
type Type = FlagCounts['byType'][number]['type'];
type Region = FlagCounts['byRegion'][number]['region'];

/** The number of flags with one value of one of these; the others are null. All are null in the row of the total. */
interface CountRow {
  readonly status: Status | null;
  readonly type: Type | null;
  readonly region: Region | null;
  readonly code: string | null;
  readonly name: string | null;
  /** The place in FLAG_AGES. */
  readonly age: number | null;
  readonly count: number;
}

/** Counts the flags that match the filter, at most FLAGS_COUNTED_MAX of them, in one pass. */
export async function countFlags(
  db: Pick<Db, '$queryRaw'>,
  filter: FlagFilter,
  now: Date,
): Promise<FlagCounts> {
  const rows = await db.$queryRaw<CountRow[]>`
    SELECT status, type, region, code, name, age, count(*)::int AS count
    FROM (
      SELECT f.status, f.type, f.region, insurer.code, insurer.name, ${ageAt(now)} AS age
      FROM ${FLAG_TABLES} WHERE ${allOf(flagConditions(filter, now))}
      LIMIT ${FLAGS_COUNTED_MAX + 1}) AS counted
    GROUP BY GROUPING SETS ((), (status), (type), (region), (code, name), (age))
    ORDER BY count DESC, status, type, region, code, age`;
  const all = rows.find(({ status, type, region, code, age }) =>
    [status, type, region, code, age].every((one) => one === null),
  );
  const total = all?.count ?? 0;
  return {
    total: Math.min(total, FLAGS_COUNTED_MAX),
    isComplete: total <= FLAGS_COUNTED_MAX,
    byStatus: rows.flatMap(({ status, count }) => (status === null ? [] : { status, count })),
    byType: rows.flatMap(({ type, count }) => (type === null ? [] : { type, count })),
    byRegion: rows.flatMap(({ region, count }) => (region === null ? [] : { region, count })),
    byInsurer: rows.flatMap(({ code, name, count }) =>
      code === null ? [] : { code, name: name ?? '', count },
    ),
    byAge: FLAG_AGES.map((bounds, place) => ({
      ...bounds,
      count: rows.find(({ age }) => age === place)?.count ?? 0,
    })),
  };
}

/** The place in FLAG_AGES of the age of `f`. */
function ageAt(now: Date): Prisma.Sql {
  const places = FLAG_AGES.map(({ ageDaysMin }, place) =>
    place === 0
      ? Prisma.sql`0`
      : Prisma.sql`(f.created_at <= ${daysBefore(now, ageDaysMin)}::timestamptz)::int`,
  );
  return Prisma.sql`(${Prisma.join(places, ' + ')})`;
}
