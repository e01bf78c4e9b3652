import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import {
  type HISTORY_ENDPOINTS,
  SERIES_POINTS_MAX,
  STEP_MS,
} from '../../../shared/contract/staff/views/history.ts';
import {
  readQueueHistory,
  readTransmissionSeries,
  type WithTimes,
} from '../../../shared/store/history/read-history.ts';
import { type HandlersOf, ok } from '../route.ts';

export const HISTORY_HANDLERS: HandlersOf<typeof HISTORY_ENDPOINTS> = {
  async readQueueHistory({ db, config, clock }, { query }) {
    const times = readTimes(query, clock.now());
    return ok(await readQueueHistory(db, times, config.registryTimeZone));
  },

  async readTransmissionSeries({ db, config, clock }, { query }) {
    const now = clock.now();
    const day = { timeZone: config.registryTimeZone, now };
    return ok(await readTransmissionSeries(db, readTimes(query, now), day));
  },
};

const WEEK_MS = 7 * STEP_MS.day;

interface Steps {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly step: keyof typeof STEP_MS;
}

/**
 * The query with its default times.
 * @throws {AppError} VALIDATION_FAILED when the times are in the wrong order or have too many steps between them
 */
function readTimes<Query extends Steps>(query: Query, now: Date): WithTimes<Query> {
  const { to = now.toISOString() } = query;
  const { from = new Date(Date.parse(to) - WEEK_MS).toISOString() } = query;
  const points = (Date.parse(to) - Date.parse(from)) / STEP_MS[query.step];
  if (points > 0 && points <= SERIES_POINTS_MAX) return { ...query, from, to };
  throw new AppError('VALIDATION_FAILED', `${points} points`, {
    details: [
      points > 0
        ? makeFinding(
            'INVALID_FORMAT',
            'step',
            `More than ${SERIES_POINTS_MAX} points: choose a longer step or a shorter time.`,
          )
        : makeFinding('INVALID_DATE_RANGE', 'to', 'Must be after `from`.'),
    ],
  });
}
