import { setTimeout as sleep } from 'node:timers/promises';
import type { TransmissionKind } from '../../../shared/contract/enums.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../../env/api/bodies.ts';
import { deliver, type Entry, externalIdOf, follow, type Submission } from '../book.ts';
import { RECEIVE, TAKE } from '../flaws/statements.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';
import type { Hold } from '../wire/watched-proxy.ts';
import type { World } from '../world.ts';
import { FAIL_POINTS, type FailPoint } from './fail-points-table.ts';

/** In the short form every fifth, from a point of its own in each round. */
const SHORT_STEP = 5;
const ROUND_MS_MAX = 600_000;
const WAIT_SECONDS = 10;
const LOSSES_MAX = 5;
/** Quick ones, until the load is over. */
const TAKEN_ALONG_MAX = 60;
const LOOK_MS = 20;
/** From the receipt until its job is in the queue, with room. */
const ENQUEUED_MS = 1_000;

/**
 * A process is killed with -9 exactly there, while a transmission is at that point: one of each kind, under load. A point that is
 * not reached fails the round.
 */
export const FAIL_POINT_SCENARIO: Scenario = {
  name: 'fail-points',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 10 },
  certificates: 200,
  roundMsMax: () => ROUND_MS_MAX,
  strike: async (round) => {
    const { world, random, isFull, note } = round;
    const first = random.below(SHORT_STEP);
    const asked: Promise<unknown>[] = [];
    const starting: Promise<unknown>[] = [];
    for (const [index, point] of FAIL_POINTS.entries()) {
      if (!isFull && index % SHORT_STEP !== first) continue;
      for (const kind of point.kinds) {
        const victim = await reachAtLast(round, point, kind, asked);
        await victim.kill();
        note(`"${kind} ${point.name}" (${point.between.join('–')})`);
        if (victim.role === 'api') await world.startApi();
        // The other one goes on meanwhile.
        else starting.push(world.startWorker());
      }
    }
    await Promise.all([...asked, ...starting]);
  },
};

/** Under load a transmission may be taken along with others before its own wake-up, or before it is swept: then another one. */
async function reachAtLast(
  round: Round,
  point: FailPoint,
  kind: TransmissionKind,
  asked: Promise<unknown>[],
): Promise<RegistryProcess> {
  let left = triesOf(point);
  for (;;) {
    const entry: Entry = { clientName: 'alpha', submission: await makeTarget(round, kind) };
    round.load.book.entries.push(entry);
    try {
      return await reach(round, point, entry, asked);
    } catch (error) {
      left -= 1;
      if (left === 0) throw error;
    }
  }
}

/** Sends the transmission and lets it come to the point. Hands out the process that stands there. */
async function reach(
  round: Round,
  failPoint: FailPoint,
  entry: Entry,
  asked: Promise<unknown>[],
): Promise<RegistryProcess> {
  const { world, load } = round;
  const { name, role, statement, moment, isAbout, isFound } = failPoint;
  const send = (): void => void asked.push(deliver(world, load.book, entry, WAIT_SECONDS));
  try {
    const about = externalIdOf(entry);
    const isReceipt = statement === RECEIVE;
    const first = { statement: RECEIVE, moment: isReceipt ? moment : 'before', about } as const;
    const receiving = world.stopAt('api', first);
    send();
    const { victim: api, hold } = await receiving;
    if (isReceipt) return api;
    const id = idOf(hold, about);
    if (isFound === 'after take') {
      const taking = world.stopAt('worker', { statement: TAKE, moment: 'answered', about: id });
      hold.release();
      const { victim, hold: taken } = await taking;
      const reached = victim.database.hold({ statement, moment });
      taken.release();
      if ((await reached) === undefined) throw new Error('the worker that took it did not');
      return victim;
    }
    const point = { statement, moment, about: isAbout ? id : undefined };
    const gone = new AbortController();
    const stopping = world.stopAt(role, point, gone.signal);
    stopping.catch(() => undefined).finally(() => gone.abort());
    if (mayBeTakenAlong(failPoint)) abortWhenTaken(world, id, gone).catch(() => gone.abort());
    if (isFound === 'after loss') await releaseAndLoseJob(round, hold, about);
    else hold.release();
    return (await stopping).victim;
  } catch (error) {
    const { kind } = entry.submission;
    throw new Error(`the fail-point "${kind} ${name}" was not reached`, { cause: error });
  }
}

function triesOf(point: FailPoint): number {
  if (point.isFound === 'after loss') return LOSSES_MAX;
  return mayBeTakenAlong(point) ? TAKEN_ALONG_MAX : 1;
}

function mayBeTakenAlong({ statement, moment, isAbout }: FailPoint): boolean {
  return statement === TAKE && moment === 'before' && isAbout;
}

async function abortWhenTaken({ db }: World, id: string, gone: AbortController): Promise<void> {
  while (!gone.signal.aborted) {
    if ((await db.transmission.count({ where: { id, status: { not: 'RECEIVED' } } })) > 0)
      gone.abort();
    else await sleep(LOOK_MS);
  }
}

/** Nobody takes it until it is swept: the queue is emptied when its job is there, and no worker runs meanwhile. */
async function releaseAndLoseJob(
  { world }: Round,
  hold: Hold,
  externalTransactionId: string,
): Promise<void> {
  const { workers } = world;
  for (const worker of workers) worker.signal('SIGSTOP');
  hold.release();
  const where = { externalTransactionId };
  while ((await world.db.transmission.count({ where })) === 0) await sleep(LOOK_MS);
  await sleep(ENQUEUED_MS);
  await world.loseQueue();
  for (const worker of workers) worker.signal('SIGCONT');
}

function idOf({ said }: Hold, externalId: string): string {
  const row = new RegExp(`"id":"([0-9a-f-]{36})"[^{}]*"externalTransactionId":"${externalId}"`);
  const id = row.exec(said)?.[1];
  if (id === undefined) throw new Error('the transmission is not in what is received');
  return id;
}

/** A change is about a record of its own, so that no other transmission of the record delays it. */
async function makeTarget({ world, load }: Round, kind: TransmissionKind): Promise<Submission> {
  const body = makeBody();
  if (kind === 'CREATE') return { kind, body };
  const certificate: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body } };
  load.book.entries.push(certificate);
  await deliver(world, load.book, certificate, WAIT_SECONDS);
  const target = (await follow(world, load.book, certificate))?.registryReference;
  if (typeof target !== 'string') throw new Error('the record to be changed was not registered');
  const externalTransactionId = uniqueNumber('FAULT');
  if (kind === 'AMEND') {
    const changes = { vehicles: { add: [makePlainVehicle()] } };
    return { kind, target, body: { externalTransactionId, reason: 'one more', changes } };
  }
  const cancellation = {
    externalTransactionId,
    policyNumber: body.policy.policyNumber ?? '',
    cocNumber: body.certificate.cocNumber ?? '',
    cancellationEffectiveDate: today(),
    reasonCode: 'OPERATOR_REQUEST',
    reasonText: 'sold',
  };
  return { kind, target, body: cancellation };
}
