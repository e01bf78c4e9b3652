import { AppError } from '../../shared/contract/errors.ts';
import type { Db } from '../../shared/db/prisma.ts';
import { shareLooks } from '../../shared/platform/stale-while-revalidate.ts';
import {
  readSharedBacklog,
  type SharedBacklog,
  STALLED_SECONDS,
} from '../../shared/store/intake/backlog.ts';
import type { ApiContext } from '../context.ts';

/** Many requests share one look at the backlog. */
const LOOK_AGAIN_MS = 1_000;
/** To count a long backlog takes a while, and no request waits for it when another one is as young as this. */
const TOLERATED_MS = 1_000;
const RETRY_AFTER_SECONDS_MAX = 30;

/** Reads the backlog for all requests of this process. */
export type ReadBacklog = () => Promise<SharedBacklog>;

export function makeBacklogReader(db: Db, workerRatePerSecond: number): ReadBacklog {
  const read = () =>
    readSharedBacklog(db, { secondsMax: RETRY_AFTER_SECONDS_MAX, workerRatePerSecond });
  return shareLooks(read, LOOK_AGAIN_MS, TOLERATED_MS);
}

/**
 * When to ask again about what this organization has sent, whole seconds from 1 to 30: what is before it by the rate at
 * which the backlog shrinks (D3).
 */
export async function retryAfterSeconds(
  context: ApiContext,
  organizationId: string,
): Promise<number> {
  const backlog = await context.readBacklog();
  return estimateSeconds(backlog, organizationId, context.config.workerRatePerSecond);
}

/**
 * The refusal of an organization's new work while its backlog is too old to be useful (D20); undefined while it is not.
 * What another one has dumped refuses nobody, as the organizations share the workers, unless nobody takes anything.
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

/** Of what waits of one organization, as the workers would settle it without the others', seconds. */
const PLENTY_SECONDS = 5;

/**
 * While others send, an organization of which plenty waits is let in by bursts: what comes sooner is not registered sooner,
 * and what it costs to receive one by one the workers and the others have instead. When little of it waits, or nobody else
 * sends, it waits for nothing.
 */
export async function untilLetIn(context: ApiContext, organizationId: string): Promise<void> {
  const { turns, bursts } = context;
  if (!turns.areShared()) return;
  const backlog = await context.readBacklog();
  const own = backlog.organizations.get(organizationId)?.cost ?? 0;
  const perSecond = expectedRate(backlog, context.config.workerRatePerSecond);
  if (perSecond <= 0 || own < PLENTY_SECONDS * perSecond) return;
  await bursts.untilNext(organizationId);
}

function ageOf(backlog: SharedBacklog, organizationId: string): number {
  const { organizations, lastTakenSeconds = Number.POSITIVE_INFINITY } = backlog;
  if (lastTakenSeconds > STALLED_SECONDS) return oldestOfAll(backlog);
  return organizations.get(organizationId)?.oldestSeconds ?? 0;
}

function oldestOfAll({ organizations }: SharedBacklog): number {
  return Math.max(0, ...[...organizations.values()].map(({ oldestSeconds }) => oldestSeconds));
}

/** Workers that were idle until a moment ago have shown less than they can; what they settle counts once work has waited so long. */
const MEASURED_AFTER_SECONDS = 5;

/** Each organization's share of the workers is the same, so the own work comes after as much of every other. */
function estimateSeconds(
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
  if (perSecond <= 0) return before > 0 ? RETRY_AFTER_SECONDS_MAX : 1;
  return Math.min(Math.max(Math.ceil(before / perSecond), 1), RETRY_AFTER_SECONDS_MAX);
}

/** What the workers are expected to settle per second, by its cost. */
function expectedRate(backlog: SharedBacklog, workerRatePerSecond: number): number {
  const { costPerSecond, workers } = backlog;
  const isIdleUntilNow = oldestOfAll(backlog) < MEASURED_AFTER_SECONDS;
  return Math.max(costPerSecond, isIdleUntilNow ? workers * workerRatePerSecond : 0);
}
