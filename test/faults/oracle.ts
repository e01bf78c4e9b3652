import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SubmissionOutcome } from '../../client/registry-client.ts';
import type { Acknowledgment } from '../../shared/contract/machine/acknowledgment.ts';
import { type Book, type Entry, externalIdOf, submit } from './book.ts';
import { findCoverageFlaws } from './flaws/coverage-flaws.ts';
import type { IdleTime } from './flaws/idle-watch.ts';
import { findStoredFlaws, findUnsettled } from './flaws/stored-flaws.ts';
import type { Random } from './random.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

/** From the end of the fault and of the load on, everything in progress is terminal within so much. */
const SETTLED_MS_MAX = 30_000;
const LOOK_EVERY_MS = 100;
/** Beside the time by which the machine itself was late. */
const IDLE_MS_MAX = 1_000;
const NEXT_SECOND_MS = 1_100;
/** Replays and coverage checks of one round at most; which ones is drawn. */
const REPLAYS_MAX = 30;

export interface Judgment {
  readonly flaws: readonly string[];
  /** How long the last of it took after the load had ended. */
  readonly settledInMs: number;
  readonly replays: number;
}

/** Decides whether nothing is lost, nothing doubled and nothing stuck. Everybody must be up again. */
export async function judge(
  world: World,
  book: Book,
  random: Random,
  { deadlineMs = SETTLED_MS_MAX }: { readonly deadlineMs?: number } = {},
): Promise<Judgment> {
  const since = Date.now();
  const stuck = await untilSettled(world, since + deadlineMs);
  const settledInMs = Date.now() - since;
  const promised = book.entries.filter(({ reference }) => reference !== undefined);
  const stored = await readStored(world, promised);
  const chosen = drawn(random, promised, REPLAYS_MAX);
  const flaws = [
    ...book.flaws,
    ...stuck,
    ...promised.flatMap((entry) => findLost(entry, stored.get(entry.reference ?? ''))),
    ...(await findStoredFlaws(world.db)),
    ...(stuck.length > 0 ? [] : await findReplayFlaws(world, chosen)),
    ...(stuck.length > 0 ? [] : await findCoverageFlaws(world, chosen)),
  ];
  return { flaws, settledInMs, replays: chosen.length };
}

/** Errors of the service and transactions that stood idle, unless the fault itself brings them about. */
export function findUnprovoked(
  met: { readonly serverErrors: readonly string[]; readonly idle: IdleTime },
  brings: Scenario['brings'] & object,
): string[] {
  const { serverErrors, idle } = met;
  const isIdle = idle.longestMs > IDLE_MS_MAX + idle.lateMs;
  return [
    ...(brings.serverErrors !== true && serverErrors.length > 0
      ? [`${serverErrors.length} errors of the service: ${serverErrors[0]}`]
      : []),
    ...(brings.idleTransactions !== true && isIdle
      ? [`a transaction stood idle for ${idle.longestMs} ms after "${idle.after}"`]
      : []),
  ];
}

async function untilSettled({ db }: World, endsAt: number): Promise<string[]> {
  for (;;) {
    const { inProgress, parked, examples } = await findUnsettled(db);
    if (inProgress === 0 && parked === 0) return [];
    if (inProgress === 0 || Date.now() > endsAt) {
      return [`${inProgress} are not terminal and ${parked} are parked: ${examples.join('; ')}`];
    }
    await sleep(LOOK_EVERY_MS);
  }
}

interface Stored {
  readonly externalTransactionId: string;
  readonly acknowledgment: Acknowledgment | null;
}

async function readStored(
  { db }: World,
  promised: readonly Entry[],
): Promise<ReadonlyMap<string, Stored>> {
  const rows = await db.transmission.findMany({
    where: { externalTransactionId: { in: promised.map(externalIdOf) } },
    select: { transmissionReference: true, externalTransactionId: true, acknowledgment: true },
  });
  return new Map(
    rows.map(({ transmissionReference, externalTransactionId, acknowledgment }) => [
      transmissionReference,
      { externalTransactionId, acknowledgment: acknowledgment as unknown as Acknowledgment | null },
    ]),
  );
}

/** What was promised must be there under its reference, and say what was answered. */
function findLost(entry: Entry, stored: Stored | undefined): string[] {
  const externalId = externalIdOf(entry);
  if (stored?.externalTransactionId !== externalId) {
    return [`lost: ${externalId} was promised as ${entry.reference}`];
  }
  const { settled } = entry;
  if (settled === undefined || isDeepStrictEqual(settled, stored.acknowledgment)) return [];
  return [
    `${externalId} was answered ${settled.status} and is ${stored.acknowledgment?.status}: ${differencesOf(settled, stored.acknowledgment)}`,
  ];
}

/** The members that differ, with both values. */
function differencesOf(one: Acknowledgment, other: Acknowledgment | null): string {
  const members = Object.keys({ ...one, ...other }) as (keyof Acknowledgment)[];
  return members
    .filter((member) => !isDeepStrictEqual(one[member], other?.[member]))
    .map((member) => `${member} ${JSON.stringify(one[member])}, ${JSON.stringify(other?.[member])}`)
    .join('; ');
}

/** The very same request again must be answered like the first time, but for `replayed`. */
async function findReplayFlaws(world: World, entries: readonly Entry[]): Promise<string[]> {
  const flaws: string[] = [];
  for (const entry of entries) {
    const { status, data } = await replay(world, entry);
    const isSame =
      status === 200 &&
      data?.transmissionReference === entry.reference &&
      (entry.settled === undefined ||
        isDeepStrictEqual(data, { ...entry.settled, replayed: true }));
    if (!isSame) {
      flaws.push(
        `the replay of ${externalIdOf(entry)} is ${status} ${data?.status}, not the first answer: ${entry.settled && data && 'replayed' in data ? differencesOf(entry.settled, data) : 'not settled'}`,
      );
    }
  }
  return flaws;
}

/** Signed in the second in which the nonces were lost it is refused (D19), and signed anew. */
async function replay(world: World, entry: Entry): Promise<SubmissionOutcome> {
  const send = () => submit(world.client(entry.clientName), entry, 10);
  const first = await send();
  if (first.error?.code !== 'TIMESTAMP_OUT_OF_RANGE') return first;
  await sleep(NEXT_SECOND_MS);
  return send();
}

function drawn<Item>(random: Random, items: readonly Item[], count: number): Item[] {
  const left = [...items];
  while (left.length > count) left.splice(random.below(left.length), 1);
  return left;
}
