import { AppError } from '../../shared/contract/errors.ts';
import { shareLooks } from '../../shared/platform/share-looks.ts';
import { type Backlog, readBacklog } from '../../shared/store/backlog.ts';
import type { ApiContext } from '../context.ts';

/** Many requests share one look at the backlog. */
const LOOK_AGAIN_MS = 1_000;
/** To count a long backlog takes a while, and no request waits for it when another one is as young as this. */
const TOLERATED_MS = 1_000;
const RETRY_AFTER_SECONDS_MAX = 30;

const looks = new WeakMap<ApiContext, () => Promise<Backlog>>();

function latestBacklog(context: ApiContext): Promise<Backlog> {
  const known = looks.get(context);
  const look = known ?? shareLooks(() => readBacklog(context.db), LOOK_AGAIN_MS, TOLERATED_MS);
  if (known === undefined) looks.set(context, look);
  return look();
}

/** When to ask again, whole seconds from 1 to 30: the backlog by the rate at which it shrinks (D3). */
export async function retryAfterSeconds(context: ApiContext): Promise<number> {
  return estimateSeconds(await latestBacklog(context), context.config.workerRatePerSecond);
}

/**
 * The refusal of new work while the backlog is too old to be useful (D20); undefined while it is not.
 */
export async function backlogRefusal(context: ApiContext): Promise<AppError | undefined> {
  const backlog = await latestBacklog(context);
  const { config } = context;
  if (backlog.oldestSeconds <= config.backlogAgeMaxSeconds) return undefined;
  return new AppError('RATE_LIMITED', `the backlog is ${Math.round(backlog.oldestSeconds)} s old`, {
    message: 'The service is behind with its work; nothing was recorded. Wait as Retry-After says.',
    headers: { 'Retry-After': String(estimateSeconds(backlog, config.workerRatePerSecond)) },
  });
}

/** Workers that were idle until a moment ago have shown less than they can; what they settle counts once work has waited so long. */
const MEASURED_AFTER_SECONDS = 5;

function estimateSeconds(
  { waiting, oldestSeconds, settledPerSecond, workers }: Backlog,
  workerRatePerSecond: number,
): number {
  const expected = oldestSeconds < MEASURED_AFTER_SECONDS ? workers * workerRatePerSecond : 0;
  const perSecond = Math.max(settledPerSecond, expected);
  if (perSecond <= 0) return waiting > 0 ? RETRY_AFTER_SECONDS_MAX : 1;
  return Math.min(Math.max(Math.ceil(waiting / perSecond), 1), RETRY_AFTER_SECONDS_MAX);
}
