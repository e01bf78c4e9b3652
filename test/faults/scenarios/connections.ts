import { setTimeout as sleep } from 'node:timers/promises';
import { COMMIT, RECEIVE } from '../checks/statements.ts';
import { BOTH, type Scenario, strikeRepeatedly } from '../scenario.ts';
import type { RegistryProcess } from '../servers/processes.ts';
import type { World } from '../world.ts';

const BETWEEN_VOLLEYS_MS_MAX = 250;

/** Terminates every connection to the database, including those that listen. */
const connectionsTerminated: Scenario = {
  name: 'connections-terminated',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 10 },
  strikes: { short: 4, full: 5 },
  allows: { serverErrors: true },
  strike: (round) =>
    strikeRepeatedly(round, async ({ world, random, note }) => {
      const [row] = await world.db.$queryRaw<{ connections: number; listening: number }[]>`
        SELECT count(pg_terminate_backend(pid))::int AS connections,
          (count(*) FILTER (WHERE query ~* '^LISTEN'))::int AS listening
        FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend'
          AND application_name <> 'faults' AND pid <> pg_backend_pid()`;
      note('volleys');
      note('connections', row?.connections);
      note('listening', row?.listening);
      await sleep(random.below(BETWEEN_VOLLEYS_MS_MAX));
    }),
};

/** Loses the connection around a commit: before the server gets it, or before the process gets the answer. */
const commitCut: Scenario = {
  name: 'commit-cut',
  shapes: BOTH,
  rounds: { short: ['embedded'], full: 10 },
  strikes: { short: 8, full: 15 },
  certificates: 150,
  allows: { serverErrors: true, idleTransactions: true },
  strike: async ({ world, random, load, strikes, note }) => {
    const end = new AbortController();
    void load.done.finally(() => end.abort());
    let cuts = 0;
    while (cuts < strikes && !end.signal.aborted) {
      const victim = random.percent(30) ? world.api : random.pick(world.workers);
      const statement = victim.role === 'api' ? RECEIVE : COMMIT;
      const moment = random.percent(50) ? 'before' : 'answered';
      const waited = AbortSignal.any([end.signal, AbortSignal.timeout(300)]);
      const hold = await victim.database.hold({ statement, moment }, waited);
      if (hold === undefined) continue;
      hold.cut();
      cuts += 1;
      note(moment === 'before' ? 'not sent' : 'not answered');
    }
    if (cuts < strikes)
      load.report.problems.push(`only ${cuts} of ${strikes} connections were cut`);
  },
};

/** All processes, each with its proxies. */
function proxiesOf({ api, workers }: World): RegistryProcess[] {
  return [api, ...workers];
}

const latency: Scenario = {
  name: 'latency',
  shapes: BOTH,
  rounds: { short: [], full: 5 },
  certificates: 30,
  strike: async ({ world, random, load, note }) => {
    const milliseconds = 5 + random.below(25);
    for (const { database, redis } of proxiesOf(world)) {
      database.setLatency(milliseconds);
      redis?.setLatency(milliseconds);
    }
    note('ms', milliseconds);
    await load.done;
    for (const { database, redis } of proxiesOf(world)) {
      database.setLatency(0);
      redis?.setLatency(0);
    }
  },
};

const resets: Scenario = {
  name: 'resets',
  shapes: BOTH,
  rounds: { short: ['redis'], full: 5 },
  allows: { serverErrors: true },
  strike: async ({ world, random, load, note }) => {
    await load.until(0.1);
    for (let reset = 0; reset < 8; reset += 1) {
      const { database, redis } = random.pick(proxiesOf(world));
      if (random.percent(50) && redis !== undefined) redis.resetAll();
      else database.resetAll();
      note('resets');
      await sleep(random.below(120));
    }
  },
};

const BLACK_HOLE_MS = 1_000;

/** Drops all data for a second. The affected connections then stay silent forever, without an end or an error. */
const blackHole: Scenario = {
  name: 'black-hole',
  shapes: BOTH,
  rounds: { short: [], full: 5 },
  allows: { serverErrors: true, idleTransactions: true },
  deadlineMs: 60_000,
  strike: async ({ world, load, note }) => {
    await load.until(0.1);
    const proxies = proxiesOf(world).flatMap(({ database, redis }) =>
      redis === undefined ? [database] : [database, redis],
    );
    for (const proxy of proxies) proxy.setBlackHole(true);
    await sleep(BLACK_HOLE_MS);
    for (const proxy of proxies) proxy.setBlackHole(false);
    note('proxies', proxies.length);
  },
};

export const CONNECTIONS: readonly Scenario[] = [
  connectionsTerminated,
  commitCut,
  latency,
  resets,
  blackHole,
];
