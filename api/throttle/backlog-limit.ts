import { AppError } from '../../shared/contract/errors.ts';
import type { Db } from '../../shared/db/prisma.ts';
import { staleWhileRevalidate } from '../../shared/platform/stale-while-revalidate.ts';
import {
  readSharedBacklog,
  type SharedBacklog,
  STALLED_SECONDS,
} from '../../shared/store/intake/backlog.ts';
import type { ApiContext } from '../context.ts';

const BACKLOG_REFRESH_MS = 1_000;
/** Counting a long backlog takes a while; requests do not wait for it while the last count is not older than this. */
const BACKLOG_STALE_MS_MAX = 1_000;
const RETRY_AFTER_SECONDS_MAX = 30;
/** Counting all that waits takes longer, and an estimate of hours may be some seconds old. */
const WHOLE_BACKLOG_REFRESH_MS = 5_000;
const WHOLE_BACKLOG_SECONDS_MAX = 24 * 60 * 60;

/** Reads the backlog for all requests of this process. */
export type ReadBacklog = () => Promise<SharedBacklog>;

export function makeBacklogReader(db: Db, workerRatePerSecond: number): ReadBacklog {
  const read = () =>
    readSharedBacklog(db, { secondsMax: RETRY_AFTER_SECONDS_MAX, workerRatePerSecond });
  return staleWhileRevalidate(read, {
    refreshMs: BACKLOG_REFRESH_MS,
    maxStaleMs: BACKLOG_STALE_MS_MAX,
  });
}

/** Reads the work of a day, for estimates that go beyond `Retry-After`. */
export function makeWholeBacklogReader(db: Db, workerRatePerSecond: number): ReadBacklog {
  const read = () =>
    readSharedBacklog(db, { secondsMax: WHOLE_BACKLOG_SECONDS_MAX, workerRatePerSecond });
  return staleWhileRevalidate(read, { refreshMs: WHOLE_BACKLOG_REFRESH_MS });
}

/** How long the workers need for everything that waits of this organization; infinite when they do nothing. */
export async function secondsUntilDone(
  { readWholeBacklog, config }: ApiContext,
  organizationId: string,
): Promise<number> {
  return secondsOfWork(await readWholeBacklog(), organizationId, config.workerRatePerSecond);
}

/**
 * How long this organization should wait before it asks again, in whole seconds from 1 to 30: the work ahead of it divided
 * by the rate at which the backlog shrinks (D3).
 */
export async function retryAfterSeconds(
  context: ApiContext,
  organizationId: string,
): Promise<number> {
  const backlog = await context.readBacklog();
  return estimateSeconds(backlog, organizationId, context.config.workerRatePerSecond);
}

/**
 * The refusal of an organization's new work while its oldest transmission has waited too long (D20); undefined otherwise.
 * The organizations share the workers, so the backlog of one causes no refusal of another, unless no worker claims anything.
 */
export async function backlogRefusal(
  context: ApiContext,
  organizationId: string,
): Promise<AppError | undefined> {
  const backlog = await context.readBacklog();
  const { config } = context;
  const ageSeconds = ageOf(backlog, organizationId);
  if (ageSeconds <= config.backlogAgeMaxSeconds) return undefined;
  const seconds = estimateSeconds(backlog, organizationId, config.workerRatePerSecond);
  return new AppError('RATE_LIMITED', `the backlog is ${Math.round(ageSeconds)} s old`, {
    message: 'The service is behind with its work; nothing was recorded. Wait as Retry-After says.',
    headers: { 'Retry-After': String(seconds) },
  });
}

function ageOf(backlog: SharedBacklog, organizationId: string): number {
  const { organizations, lastTakenSeconds = Number.POSITIVE_INFINITY } = backlog;
  if (lastTakenSeconds > STALLED_SECONDS) return oldestOfAll(backlog);
  return organizations.get(organizationId)?.oldestSeconds ?? 0;
}

function oldestOfAll({ organizations }: SharedBacklog): number {
  return Math.max(0, ...[...organizations.values()].map(({ oldestSeconds }) => oldestSeconds));
}

/** Workers that were idle until now have shown less than they can do, so their measured rate counts once work has waited so long. */
const MEASURED_AFTER_SECONDS = 5;

function estimateSeconds(
  backlog: SharedBacklog,
  organizationId: string,
  workerRatePerSecond: number,
): number {
  const seconds = Math.ceil(secondsOfWork(backlog, organizationId, workerRatePerSecond));
  return Math.min(Math.max(seconds, 1), RETRY_AFTER_SECONDS_MAX);
}

/** Organizations share the workers equally, so the work ahead has at most the same amount for each other organization. */
function secondsOfWork(
  backlog: SharedBacklog,
  organizationId: string,
  workerRatePerSecond: number,
): number {
  const { organizations, inHandCost } = backlog;
  const own = Math.max(organizations.get(organizationId)?.cost ?? 0, 1);
  const before = [...organizations.values()].reduce(
    (sum, { cost }) => sum + Math.min(cost, own),
    inHandCost,
  );
  const perSecond = expectedRate(backlog, workerRatePerSecond);
  if (before <= 0) return 0;
  return perSecond > 0 ? before / perSecond : Number.POSITIVE_INFINITY;
}

/** The cost that the workers are expected to process per second. */
function expectedRate(backlog: SharedBacklog, workerRatePerSecond: number): number {
  const { costPerSecond, workers } = backlog;
  const isIdleUntilNow = oldestOfAll(backlog) < MEASURED_AFTER_SECONDS;
  return Math.max(costPerSecond, isIdleUntilNow ? workers * workerRatePerSecond : 0);
}
