import type { Db, Tx } from '../../db/prisma.ts';
import { calendarDate } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';

type DayConfig = Pick<Config, 'registryEnvironment' | 'registryTimeZone'>;

/** The registry's calendar date (D8), which the sandbox may move (D40). */
export async function readToday(
  db: Pick<Db | Tx, 'registryEnvironment'>,
  config: DayConfig,
  now: Date,
): Promise<string> {
  return calendarDate(now, config.registryTimeZone, await readDayOffset(db, config));
}

/**
 * The days by which the sandbox's calendar is ahead (D40). It is read each time, so that a new offset holds for the next request
 * and the next decision of every process. Production has no offset and asks nothing.
 */
export async function readDayOffset(
  db: Pick<Db | Tx, 'registryEnvironment'>,
  { registryEnvironment }: Pick<Config, 'registryEnvironment'>,
): Promise<number> {
  if (registryEnvironment === 'production') return 0;
  const row = await db.registryEnvironment.findFirst({ select: { dayOffset: true } });
  return row?.dayOffset ?? 0;
}

/** Moves the calendar of the whole sandbox. */
export async function setDayOffset(db: Db, dayOffset: number): Promise<void> {
  const { count } = await db.registryEnvironment.updateMany({
    where: { environment: 'sandbox' },
    data: { dayOffset },
  });
  if (count === 0) throw new Error('the database does not belong to a sandbox');
}
