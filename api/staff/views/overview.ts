import type {
  FLAG_COUNT_ENDPOINTS,
  OVERVIEW_ENDPOINTS,
} from '../../../shared/contract/staff/views/overview.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { calendarDate, endOfDate } from '../../../shared/platform/clock.ts';
import { readDayOffset } from '../../../shared/store/sandbox/registry-day.ts';
import { countFlags } from '../../../shared/store/staff/flags/counts.ts';
import { readOverview } from '../../../shared/store/staff/views/overview.ts';
import type { ApiContext } from '../../context.ts';
import { requireMeaningfulCriteria } from '../criteria.ts';
import { type HandlersOf, ok } from '../route.ts';

export const OVERVIEW_HANDLERS: HandlersOf<
  typeof OVERVIEW_ENDPOINTS & typeof FLAG_COUNT_ENDPOINTS
> = {
  async readOverview(context) {
    const now = context.clock.now();
    return ok(await readOverview(context.db, await readDayStart(context, now), now));
  },

  async countFlags({ db, clock }, { query }) {
    requireMeaningfulCriteria(query, ['plateNumber']);
    return ok(await countFlags(db, query, clock.now()));
  },
};

/** The first instant of the registry's day (D8). */
async function readDayStart({ db, config }: ApiContext, now: Date): Promise<Date> {
  const { registryTimeZone } = config;
  const offset = await readDayOffset(db, config);
  const yesterday = addDays(calendarDate(now, registryTimeZone, offset), -1);
  return endOfDate(yesterday, registryTimeZone, offset);
}
