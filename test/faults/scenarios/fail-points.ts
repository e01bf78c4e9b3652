import { setTimeout as sleep } from 'node:timers/promises';
import type { TransmissionKind } from '../../../shared/contract/enums.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../../env/api/bodies.ts';
import { CLAIM, RECEIVE } from '../checks/statements.ts';
import { deliver, type Entry, externalIdOf, follow, type Submission } from '../round-report.ts';
import { BOTH, type Round, type Scenario } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';
import type { Hold } from '../wire/watched-proxy.ts';
import type { World } from '../world.ts';
import { FAIL_POINTS, type FailPoint } from './fail-points-table.ts';

/** The short form tests every fifth point, starting at a random one. */
const SHORT_STEP = 5;
const ROUND_MS_MAX = 600_000;
const WAIT_SECONDS = 10;
const LOSSES_MAX = 5;
/** Each attempt is quick. Under load many may be necessary. */
const EARLY_CLAIMS_MAX = 60;
const POLL_INTERVAL_MS = 20;
/** Ample time from the receipt until the job is in the queue. */
const ENQUEUED_MS = 1_000;

/**
 * Kills a process with SIGKILL exactly when a transmission reaches a fail point: one transmission of each kind, under load. The
 * round fails if a point is not reached.
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
    const pending: Promise<unknown>[] = [];
    const starting: Promise<unknown>[] = [];
    for (const [index, point] of FAIL_POINTS.entries()) {
      if (!isFull && index % SHORT_STEP !== first) continue;
      for (const kind of point.kinds) {
        const victim = await reachWithRetries(round, point, kind, pending);
        await victim.kill();
        note(`"${kind} ${point.name}" (${point.between.join('–')})`);
        if (victim.role === 'api') await world.startApi();
        // The other worker runs meanwhile.
        else starting.push(world.startWorker());
      }
    }
    await Promise.all([...pending, ...starting]);
  },
};

/** Retries with another transmission, because under load a transmission may be claimed before its own job runs or before it is swept. */
async function reachWithRetries(
  round: Round,
  point: FailPoint,
  kind: TransmissionKind,
  pending: Promise<unknown>[],
): Promise<RegistryProcess> {
  let left = triesOf(point);
  for (;;) {
    const entry: Entry = { clientName: 'alpha', submission: await makeTarget(round, kind) };
    round.load.report.entries.push(entry);
    try {
      return await reach(round, point, entry, pending);
    } catch (error) {
      left -= 1;
      if (left === 0) throw error;
    }
  }
}

/** Sends the transmission and waits until it reaches the point. Returns the process that is stopped there. */
async function reach(
  round: Round,
  failPoint: FailPoint,
  entry: Entry,
  pending: Promise<unknown>[],
): Promise<RegistryProcess> {
  const { world, load } = round;
  const { name, role, statement, moment, isAbout, isFound } = failPoint;
  const send = (): void => void pending.push(deliver(world, load.report, entry, WAIT_SECONDS));
  try {
    const about = externalIdOf(entry);
    const isReceipt = statement === RECEIVE;
    const first = { statement: RECEIVE, moment: isReceipt ? moment : 'before', about } as const;
    const receiving = world.stopAt('api', first);
    send();
    const { victim: api, hold } = await receiving;
    if (isReceipt) return api;
    const id = idOf(hold, about);
    if (isFound === 'after claim') {
      const taking = world.stopAt('worker', { statement: CLAIM, moment: 'answered', about: id });
      hold.release();
      const { victim, hold: taken } = await taking;
      const reached = victim.database.hold({ statement, moment });
      taken.release();
      if ((await reached) === undefined)
        throw new Error('the worker that claimed it did not reach the point');
      return victim;
    }
    const point = { statement, moment, about: isAbout ? id : undefined };
    const gone = new AbortController();
    const stopping = world.stopAt(role, point, gone.signal);
    stopping.catch(() => undefined).finally(() => gone.abort());
    if (mayBeClaimedEarly(failPoint)) abortWhenClaimed(world, id, gone).catch(() => gone.abort());
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
  return mayBeClaimedEarly(point) ? EARLY_CLAIMS_MAX : 1;
}

function mayBeClaimedEarly({ statement, moment, isAbout }: FailPoint): boolean {
  return statement === CLAIM && moment === 'before' && isAbout;
}

async function abortWhenClaimed({ db }: World, id: string, gone: AbortController): Promise<void> {
  while (!gone.signal.aborted) {
    if ((await db.transmission.count({ where: { id, status: { not: 'RECEIVED' } } })) > 0)
      gone.abort();
    else await sleep(POLL_INTERVAL_MS);
  }
}

/** Makes sure that only the sweeper finds the transmission: empties the queue after its job was added, while the workers are stopped. */
async function releaseAndLoseJob(
  { world }: Round,
  hold: Hold,
  externalTransactionId: string,
): Promise<void> {
  const { workers } = world;
  for (const worker of workers) worker.signal('SIGSTOP');
  hold.release();
  const where = { externalTransactionId };
  while ((await world.db.transmission.count({ where })) === 0) await sleep(POLL_INTERVAL_MS);
  await sleep(ENQUEUED_MS);
  await world.loseQueue();
  for (const worker of workers) worker.signal('SIGCONT');
}

function idOf({ said }: Hold, externalId: string): string {
  const row = new RegExp(`"id":"([0-9a-f-]{36})"[^{}]*"externalTransactionId":"${externalId}"`);
  const id = row.exec(said)?.[1];
  if (id === undefined)
    throw new Error('the receiving statement does not contain the transmission');
  return id;
}

/** Each change has its own record, so that no other transmission of the record delays it. */
async function makeTarget({ world, load }: Round, kind: TransmissionKind): Promise<Submission> {
  const body = makeBody();
  if (kind === 'CREATE') return { kind, body };
  const certificate: Entry = { clientName: 'alpha', submission: { kind: 'CREATE', body } };
  load.report.entries.push(certificate);
  await deliver(world, load.report, certificate, WAIT_SECONDS);
  const target = (await follow(world, load.report, certificate))?.registryReference;
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
