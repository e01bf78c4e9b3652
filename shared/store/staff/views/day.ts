import type { Db } from '../../../db/prisma.ts';
import type { Day } from '../../../domain/presentation/present-summary.ts';
import type { Config } from '../../../platform/config/config.ts';
import { expiringWithinDaysAt } from '../../registry/records/record-columns.ts';
import { readToday } from '../../sandbox/registry-day.ts';

/** The registry's date, and the days before expiry that the rule set in force counts as EXPIRING (D8, D12). */
export async function readDay(db: Db, config: Config, now: Date): Promise<Day> {
  const [row] = await db.$queryRaw<{ days: number | null }[]>`
    SELECT ${expiringWithinDaysAt(now)} AS days`;
  const expiringWithinDays = row?.days ?? null;
  if (expiringWithinDays === null) throw new Error('no rule set is active');
  return { today: await readToday(db, config, now), expiringWithinDays };
}
