import { setTimeout as sleep } from 'node:timers/promises';
import { AFTER_NOW, CHANGES_LIMIT_MAX } from '../../../../shared/contract/machine/changes.ts';
import { LOOKUP_NAMES_MAX } from '../../../../shared/contract/machine/transmissions/lookup.ts';
import type { RegistryClient } from '../../../registry-client.ts';
import { requireData } from '../../require-data.ts';
import type { Named, SettledLine } from '../journal/journal-lines.ts';
import { collectedLineOf } from './collected-line.ts';
import { isReadDue, type Pace, pauseMsOf } from './read-pace.ts';

const LOOK_INTERVAL_MS = 200;
/** After the last transmission is sent, the feed holds an empty answer for so long. */
const FEED_WAIT_SECONDS = 10;
/** A page that takes longer shows that the registry was not there, which is not part of the deadline. */
const OUTAGE_MS = 2 * FEED_WAIT_SECONDS * 1_000;
/** When the feed has brought nothing for so long, what is open is looked up once. */
const LOOKUP_AFTER_MS = 30_000;

export interface Collecting {
  readonly client: RegistryClient;
  /** The transmissions whose outcome is not known, by the id that was sent. What is settled is removed. */
  readonly open: Map<string, Named>;
  /** The sender changes `sent` and `isDone`. */
  readonly progress: Pace & { isDone: boolean };
  readonly onSettled: (...lines: readonly SettledLine[]) => Promise<void>;
  /** How long to wait for the next outcome after everything is sent. */
  readonly deadlineSeconds: number;
  readonly signal: AbortSignal;
}

/** The cursor from which the feed has every outcome of what is sent later. */
export async function readFeedPosition({ client, progress, signal }: Collecting): Promise<string> {
  progress.reads += 1;
  return requireData(await client.readChanges({ after: AFTER_NOW, limit: 1 }, { signal })).next;
}

/** Settles open transmissions from the change feed until none is left, the deadline passes, or the signal aborts (D42). */
export async function collectOutcomes(collecting: Collecting, position: string): Promise<void> {
  let after = position;
  while (hasMore(collecting)) {
    await untilReadIsDue(collecting);
    if (collecting.progress.isDone || collecting.signal.aborted) break;
    after = (await takePage(collecting, after, 0)).next;
  }
  await collectRest(collecting, after);
}

function hasMore({ open, progress, signal }: Collecting): boolean {
  return !signal.aborted && !(progress.isDone && open.size === 0);
}

async function untilReadIsDue({ progress, signal }: Collecting): Promise<void> {
  const sentBefore = progress.sent;
  const startedAtMs = Date.now();
  while (!progress.isDone && !signal.aborted) {
    if (isReadDue(progress.sent - sentBefore, Date.now() - startedAtMs)) return;
    await pause(LOOK_INTERVAL_MS, signal);
  }
}

/** When everything is sent. */
async function collectRest(collecting: Collecting, position: string): Promise<void> {
  const { open, progress, deadlineSeconds, signal } = collecting;
  let after = position;
  let settledAtMs = Date.now();
  let isLookedUp = false;
  while (hasMore(collecting)) {
    const openBefore = open.size;
    const askedAtMs = Date.now();
    const { next, caughtUp } = await takePage(collecting, after, FEED_WAIT_SECONDS);
    after = next;
    const isOutage = Date.now() - askedAtMs > OUTAGE_MS;
    if (open.size < openBefore || isOutage) {
      settledAtMs = Date.now();
      isLookedUp = false;
    }
    const silentMs = Date.now() - settledAtMs;
    const isTooLate = silentMs > deadlineSeconds * 1_000;
    if (isTooLate || (caughtUp && !isLookedUp && silentMs > LOOKUP_AFTER_MS)) {
      isLookedUp = true;
      await lookUp(collecting, [...open.values()]);
    }
    if (isTooLate) return;
    if (caughtUp && open.size > 0) await pause(pauseMsOf(progress), signal);
  }
}

/** Reads a page of the feed and settles what it brings. */
async function takePage(collecting: Collecting, after: string, waitSeconds: number) {
  const { client, open, progress, signal } = collecting;
  const query = { after, limit: CHANGES_LIMIT_MAX, types: 'TRANSMISSION_COMPLETED' };
  progress.reads += 1;
  const page = requireData(await client.readChanges(query, { waitSeconds, signal }));
  const rejected: Named[] = [];
  const settled: SettledLine[] = [];
  for (const item of page.items) {
    const named = open.get(item.externalTransactionId ?? '');
    if (named === undefined || item.status === null) continue;
    // The feed does not say why, and a lookup does.
    if (item.status === 'REJECTED') rejected.push(named);
    else settled.push(...settle(collecting, named, { ...item, status: item.status }));
  }
  await collecting.onSettled(...settled);
  await lookUp(collecting, rejected);
  return page;
}

/** Settles what the registry has decided, and returns what it does not know. */
export async function lookUp(collecting: Collecting, all: readonly Named[]): Promise<Named[]> {
  const { client, progress, signal } = collecting;
  const unknown: Named[] = [];
  for (let start = 0; start < all.length; start += LOOKUP_NAMES_MAX) {
    const some = all.slice(start, start + LOOKUP_NAMES_MAX);
    const externalTransactionIds = some.map(({ sentId }) => sentId);
    progress.reads += 1;
    const { items } = requireData(
      await client.lookupTransmissions({ externalTransactionIds }, { signal }),
    );
    const settled: SettledLine[] = [];
    for (const [index, named] of some.entries()) {
      const transmission = items[index]?.transmission ?? null;
      if (transmission === null) unknown.push(named);
      else settled.push(...settle(collecting, named, transmission));
    }
    await collecting.onSettled(...settled);
  }
  return unknown;
}

/** The line of the journal; none while it is in progress, or when the sender has settled it in the meantime. */
function settle(
  { open }: Collecting,
  named: Named,
  collected: Parameters<typeof collectedLineOf>[1],
): SettledLine[] {
  const line = collectedLineOf(named, collected);
  return line !== undefined && open.delete(named.sentId) ? [line] : [];
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
