import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { SubmissionOutcome } from '../../client/registry-client.ts';
import type { Acknowledgment } from '../../shared/contract/machine/acknowledgment.ts';
import { findCoverageProblems } from './checks/coverage-problems.ts';
import type { IdleTime } from './checks/idle-watch.ts';
import { findStoredProblems, findUnsettled } from './checks/stored-problems.ts';
import type { Random } from './random.ts';
import { type Entry, externalIdOf, type RoundReport, submit } from './round-report.ts';
import type { Scenario } from './scenario.ts';
import type { World } from './world.ts';

/** After the end of the fault and of the load, all transmissions must become terminal within this time. */
const SETTLED_MS_MAX = 30_000;
const POLL_INTERVAL_MS = 100;
/** In addition to the delay of the machine itself. */
const IDLE_MS_MAX = 1_000;
const NEXT_SECOND_MS = 1_100;
/** Maximum number of replays and coverage checks in a round; they are chosen at random. */
const REPLAYS_MAX = 30;

export interface Judgment {
  readonly problems: readonly string[];
  /** Time from the end of the load until everything was settled. */
  readonly settledInMs: number;
  readonly replays: number;
}

/** Checks that nothing was lost, doubled or stuck. All processes and servers must be running again. */
export async function judge(
  world: World,
  report: RoundReport,
  random: Random,
  { deadlineMs = SETTLED_MS_MAX }: { readonly deadlineMs?: number } = {},
): Promise<Judgment> {
  const since = Date.now();
  const stuck = await untilSettled(world, since + deadlineMs);
  const settledInMs = Date.now() - since;
  const acknowledged = report.entries.filter(({ reference }) => reference !== undefined);
  const stored = await readStored(world, acknowledged);
  const chosen = drawn(random, acknowledged, REPLAYS_MAX);
  const problems = [
    ...report.problems,
    ...stuck,
    ...acknowledged.flatMap((entry) => findLost(entry, stored.get(entry.reference ?? ''))),
    ...(await findStoredProblems(world.db)),
    ...(stuck.length > 0 ? [] : await findReplayProblems(world, chosen)),
    ...(stuck.length > 0 ? [] : await findCoverageProblems(world, chosen)),
  ];
  return { problems, settledInMs, replays: chosen.length };
}

/** Finds service errors and idle transactions, unless the fault itself causes them. */
export function findUnexpected(
  met: { readonly serverErrors: readonly string[]; readonly idle: IdleTime },
  allows: Scenario['allows'] & object,
): string[] {
  const { serverErrors, idle } = met;
  const isIdle = idle.longestMs > IDLE_MS_MAX + idle.lateMs;
  return [
    ...(allows.serverErrors !== true && serverErrors.length > 0
      ? [`${serverErrors.length} errors of the service: ${serverErrors[0]}`]
      : []),
    ...(allows.idleTransactions !== true && isIdle
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
    await sleep(POLL_INTERVAL_MS);
  }
}

interface Stored {
  readonly externalTransactionId: string;
  readonly acknowledgment: Acknowledgment | null;
}

async function readStored(
  { db }: World,
  acknowledged: readonly Entry[],
): Promise<ReadonlyMap<string, Stored>> {
  const rows = await db.transmission.findMany({
    where: { externalTransactionId: { in: acknowledged.map(externalIdOf) } },
    select: { transmissionReference: true, externalTransactionId: true, acknowledgment: true },
  });
  return new Map(
    rows.map(({ transmissionReference, externalTransactionId, acknowledgment }) => [
      transmissionReference,
      { externalTransactionId, acknowledgment: acknowledgment as unknown as Acknowledgment | null },
    ]),
  );
}

/** An acknowledged transmission must be stored under its reference, with the acknowledgment that was answered. */
function findLost(entry: Entry, stored: Stored | undefined): string[] {
  const externalId = externalIdOf(entry);
  if (stored?.externalTransactionId !== externalId) {
    return [`lost: ${externalId} was acknowledged as ${entry.reference}`];
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

/** A repeated request must get the first answer again, except for `replayed`. */
async function findReplayProblems(world: World, entries: readonly Entry[]): Promise<string[]> {
  const problems: string[] = [];
  for (const entry of entries) {
    const { status, data } = await replay(world, entry);
    const isSame =
      status === 200 &&
      data?.transmissionReference === entry.reference &&
      (entry.settled === undefined ||
        isDeepStrictEqual(data, { ...entry.settled, replayed: true }));
    if (!isSame) {
      problems.push(
        `the replay of ${externalIdOf(entry)} is ${status} ${data?.status}, not the first answer: ${entry.settled && data && 'replayed' in data ? differencesOf(entry.settled, data) : 'not settled'}`,
      );
    }
  }
  return problems;
}

/** A request that was signed in the second of a nonce loss is refused (D19), so it is signed again. */
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
