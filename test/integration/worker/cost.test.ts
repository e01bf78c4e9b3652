import { randomUUID } from 'node:crypto';
import { VEHICLES_MAX } from '../../../shared/contract/machine/transmission.ts';
import { type Db, openDb } from '../../../shared/db/prisma.ts';
import {
  readBacklog,
  readSharedBacklog,
  reportWorker,
} from '../../../shared/store/intake/backlog.ts';
import { claim } from '../../../shared/store/intake/claim.ts';
import { BATCH_TRANSMISSIONS_MAX, BATCH_VEHICLES_MAX } from '../../../worker/drain.ts';
import { makeStats } from '../../../worker/stats.ts';
import { fillBacklog } from '../../env/api/backlog.ts';
import { makeBody, makePlainVehicle } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ workers: 0 });
});
afterEach(() => stack.stop());

/** Repeats VACUUM: it skips rows that an open session may not see yet or whose commit is not on disk. */
async function untilAllVisible(db: Db): Promise<void> {
  for (const endsAt = Date.now() + 30_000; Date.now() < endsAt; ) {
    await db.$executeRaw`VACUUM (ANALYZE) transmissions`;
    const [table] = await db.$queryRaw<{ isAllVisible: boolean }[]>`
      SELECT relallvisible = relpages AS "isAllVisible" FROM pg_class WHERE relname = 'transmissions'`;
    if (table?.isAllVisible === true) return;
  }
  throw new Error('some pages are not all-visible');
}

const BUSY_WORKER = { claimedAny: true, settled: 1, settledPerSecond: 100, costPerSecond: 100 };

const ONE_BATCH = {
  leaseSeconds: 60,
  transmissionsMax: BATCH_TRANSMISSIONS_MAX,
  vehiclesMax: BATCH_VEHICLES_MAX,
};

describe('the cost of a transmission, in certificates of one vehicle,', () => {
  it.each([
    ['a certificate of one vehicle', { kind: 'CREATE', vehicles: 1 }, 1],
    ['one of ten', { kind: 'CREATE', vehicles: 10 }, 1],
    ['one of 45', { kind: 'CREATE', vehicles: 45 }, 4.5],
    ['one of 500', { kind: 'CREATE', vehicles: 500 }, 50],
    ['a change', { kind: 'AMEND', vehicles: 0 }, 5],
    ['a change of 100 vehicles', { kind: 'AMEND', vehicles: 100 }, 10],
  ] as const)('depends on its vehicles or its kind: %s', async (_what, filling, cost) => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1, filling);
    expect(await readBacklog(db)).toMatchObject({ waiting: 1, waitingCost: cost });
    const { claimed } = await claim(db, undefined, ONE_BATCH);
    expect(claimed).toMatchObject([{ cost }]);
    // A claimed transmission counts as waiting until it is terminal.
    expect(await readBacklog(db)).toMatchObject({ waiting: 1, waitingCost: cost });
  });

  it('limits a batch to four of the largest certificates', async () => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 5, { kind: 'CREATE', vehicles: VEHICLES_MAX });
    const first = await claim(db, undefined, ONE_BATCH);
    expect(first.claimed).toHaveLength(BATCH_VEHICLES_MAX / VEHICLES_MAX);
    const second = await claim(db, undefined, ONE_BATCH);
    expect(second.claimed).toMatchObject([{ id: first.leftId }]);
    expect(second.leftId).toBeNull();
  });

  it('is summed over all waiting transmissions, and is zero without any', async () => {
    const { db } = stack.api.context;
    expect(await readBacklog(db)).toMatchObject({ waiting: 0, waitingCost: 0 });
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 3, { kind: 'CREATE', vehicles: 500 });
    await fillBacklog(stack.ownerDb, 'INS-BRAVO', 4, { kind: 'CREATE' });
    await db.$executeRaw`UPDATE transmissions SET parked_at = now() WHERE sequence = -1 AND vehicle_count = 500`;
    expect(await readBacklog(db)).toMatchObject({ waiting: 6, waitingCost: 104, parked: 1 });
  });

  it('is summed without reading the rows, which contain the bodies', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 5_000, { kind: 'CREATE', vehicles: 20 });
    const db = openDb({
      databaseUrl: stack.config.databaseUrl,
      poolMax: 1,
      applicationName: 'test',
    });
    const rowsRead = async () => {
      await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
      const [row] = await db.$queryRaw<{ read: number }[]>`
        SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_user_tables WHERE relname = 'transmissions'`;
      return row?.read ?? Number.NaN;
    };
    try {
      await db.$executeRaw`UPDATE transmissions SET body_sealed = decode(repeat('5a', 1000), 'hex')`;
      await untilAllVisible(stack.ownerDb);
      const before = await rowsRead();
      expect(await readBacklog(db)).toMatchObject({ waitingCost: 10_000 });
      await reportWorker(db, { id: randomUUID(), ...BUSY_WORKER });
      const limits = { secondsMax: 100, workerRatePerSecond: 1 };
      const { organizations } = await readSharedBacklog(db, limits);
      expect([...organizations.values()]).toMatchObject([{ cost: 10_000 }]);
      // Each read only the oldest row.
      expect((await rowsRead()) - before).toBeLessThan(10);
    } finally {
      await db.$disconnect();
    }
  });

  it.each([
    [
      'the transmissions that the workers finish in the time',
      [BUSY_WORKER],
      { secondsMax: 5, workerRatePerSecond: 1 },
      1_002,
    ],
    [
      'those that they should finish, if that is more',
      [BUSY_WORKER],
      { secondsMax: 1, workerRatePerSecond: 200 },
      402,
    ],
    ['one transmission without a worker', [], { secondsMax: 5, workerRatePerSecond: 200 }, 2],
  ])('is counted for each organization up to %s', async (_what, workers, limits, cost) => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 900, { kind: 'CREATE', vehicles: 20 });
    await fillBacklog(stack.ownerDb, 'INS-BRAVO', 1, { kind: 'CREATE' });
    for (const worker of workers) await reportWorker(db, { id: randomUUID(), ...worker });
    const { organizations } = await readSharedBacklog(db, limits);
    const costs = [...organizations.values()].map((one) => one.cost);
    expect(costs.sort((one, other) => one - other)).toEqual([1, cost]);
  });

  it('is reported by the worker that finishes the transmission', async () => {
    const worker = await stack.addWorker();
    const onFinished = jest.spyOn(worker.context.stats, 'finished');
    const vehicles = Array.from({ length: 25 }, () => makePlainVehicle());
    const body = makeBody({ vehicles });
    await stack.post('alpha', '/ppai/policies', body, 'respond-async');
    await stack.untilTerminal(body.externalTransactionId);
    expect(onFinished.mock.calls.flat(2)).toMatchObject([{ cost: 2.5 }]);
  });
});

describe('the rate of the workers', () => {
  const report = { claimedAny: true, settled: 1 };

  it('is reported in transmissions for people and in cost for estimates', async () => {
    const stats = makeStats();
    stats.finished([{ cost: 50 }, { cost: 1 }]);
    const { costPerSecond, ...read } = stats.read();
    expect(read.settled).toBe(2);
    expect(costPerSecond / read.settledPerSecond).toBeCloseTo(25.5);
    expect(stats.read()).toMatchObject({ settled: 0, settledPerSecond: 0, costPerSecond: 0 });

    const { db } = stack.api.context;
    for (const [settledPerSecond, cost] of [
      [20, 1_000],
      [30, 30],
    ] as const) {
      await reportWorker(db, {
        ...report,
        id: randomUUID(),
        settledPerSecond,
        costPerSecond: cost,
      });
    }
    expect(await readBacklog(db)).toMatchObject({
      settledPerSecond: 50,
      costPerSecond: 1_030,
      workers: 2,
    });
  });

  it('assumes a cost of one for a worker of the previous release, which reports no cost', async () => {
    const { db } = stack.api.context;
    const id = randomUUID();
    await db.$executeRaw`
      INSERT INTO worker_processes (id, last_taken_at, settled, settled_per_second) VALUES (${id}::uuid, now(), 7, 7)`;
    expect(await readBacklog(db)).toMatchObject({ settledPerSecond: 7, costPerSecond: 7 });
  });

  it('never gives a negative age, also when a report is younger than the statement that reads it', async () => {
    const { db } = stack.api.context;
    await db.$executeRaw`
      INSERT INTO worker_processes (id, last_taken_at) VALUES (${randomUUID()}::uuid, now() + interval '1 minute')`;
    expect((await readBacklog(db)).lastTakenSeconds).toBe(0);
  });
});
