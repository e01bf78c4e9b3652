import { randomUUID } from 'node:crypto';
import { VEHICLES_MAX } from '../../../shared/contract/machine/transmission.ts';
import { type Db, openDb } from '../../../shared/db/prisma.ts';
import {
  readBacklog,
  readSharedBacklog,
  reportWorker,
} from '../../../shared/store/intake/backlog.ts';
import { take } from '../../../shared/store/intake/processing.ts';
import {
  BATCH_TRANSMISSIONS_MAX,
  BATCH_VEHICLES_MAX,
} from '../../../worker/process-transmission.ts';
import { makeTally } from '../../../worker/tally.ts';
import { fillBacklog } from '../../env/api/backlog.ts';
import { makeBody, makePlainVehicle } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ workers: 0 });
});
afterEach(() => stack.stop());

/** Other sessions, or a commit that is not on disk yet, keep the database from noting that everybody sees a row. */
async function untilAllVisible(db: Db): Promise<void> {
  for (const endsAt = Date.now() + 30_000; Date.now() < endsAt; ) {
    await db.$executeRaw`VACUUM (ANALYZE) transmissions`;
    const [table] = await db.$queryRaw<{ isAllVisible: boolean }[]>`
      SELECT relallvisible = relpages AS "isAllVisible" FROM pg_class WHERE relname = 'transmissions'`;
    if (table?.isAllVisible === true) return;
  }
  throw new Error('some rows are not visible to all');
}

const AT_WORK = { tookAny: true, settled: 1, settledPerSecond: 100, costPerSecond: 100 };

const ONE_BATCH = {
  leaseSeconds: 60,
  transmissionsMax: BATCH_TRANSMISSIONS_MAX,
  vehiclesMax: BATCH_VEHICLES_MAX,
};

describe('what a transmission costs a worker, in certificates of one vehicle', () => {
  it.each([
    ['a certificate of one vehicle', { kind: 'CREATE', vehicles: 1 }, 1],
    ['one of ten', { kind: 'CREATE', vehicles: 10 }, 1],
    ['one of 45', { kind: 'CREATE', vehicles: 45 }, 4.5],
    ['one of 500', { kind: 'CREATE', vehicles: 500 }, 50],
    ['a change', { kind: 'AMEND', vehicles: 0 }, 5],
    ['a change of 100 vehicles', { kind: 'AMEND', vehicles: 100 }, 10],
  ] as const)('goes by its vehicles or its kind: %s', async (_what, filling, cost) => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1, filling);
    expect(await readBacklog(db)).toMatchObject({ waiting: 1, waitingCost: cost });
    const { taken } = await take(db, undefined, ONE_BATCH);
    expect(taken).toMatchObject([{ cost }]);
    // It waits until it is settled.
    expect(await readBacklog(db)).toMatchObject({ waiting: 1, waitingCost: cost });
  });

  it('fills a batch by vehicles: four of the largest certificates', async () => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 5, { kind: 'CREATE', vehicles: VEHICLES_MAX });
    const first = await take(db, undefined, ONE_BATCH);
    expect(first.taken).toHaveLength(BATCH_VEHICLES_MAX / VEHICLES_MAX);
    expect(first).toMatchObject({ mayGoOn: true, isAll: false });
    expect((await take(db, undefined, ONE_BATCH)).taken).toHaveLength(1);
  });

  it('is summed over all that wait, and nothing when nothing does', async () => {
    const { db } = stack.api.context;
    expect(await readBacklog(db)).toMatchObject({ waiting: 0, waitingCost: 0 });
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 3, { kind: 'CREATE', vehicles: 500 });
    await fillBacklog(stack.ownerDb, 'INS-BRAVO', 4, { kind: 'CREATE' });
    await db.$executeRaw`UPDATE transmissions SET parked_at = now() WHERE sequence = -1 AND vehicle_count = 500`;
    expect(await readBacklog(db)).toMatchObject({ waiting: 6, waitingCost: 104, parked: 1 });
  });

  it('is summed without a look at the rows, which are as large as their bodies', async () => {
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
      await reportWorker(db, { id: randomUUID(), ...AT_WORK });
      const asked = { secondsMax: 100, workerRatePerSecond: 1 };
      const { organizations } = await readSharedBacklog(db, asked);
      expect([...organizations.values()]).toMatchObject([{ cost: 10_000 }]);
      // Each found the oldest.
      expect((await rowsRead()) - before).toBeLessThan(10);
    } finally {
      await db.$disconnect();
    }
  });

  it.each([
    [
      'what workers settle in the time',
      [AT_WORK],
      { secondsMax: 5, workerRatePerSecond: 1 },
      1_002,
    ],
    [
      'what they should, if that is more',
      [AT_WORK],
      { secondsMax: 1, workerRatePerSecond: 200 },
      402,
    ],
    ['one without a worker', [], { secondsMax: 5, workerRatePerSecond: 200 }, 2],
  ])('is counted of one organization up to %s', async (_what, workers, asked, cost) => {
    const { db } = stack.api.context;
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 900, { kind: 'CREATE', vehicles: 20 });
    await fillBacklog(stack.ownerDb, 'INS-BRAVO', 1, { kind: 'CREATE' });
    for (const worker of workers) await reportWorker(db, { id: randomUUID(), ...worker });
    const { organizations } = await readSharedBacklog(db, asked);
    const costs = [...organizations.values()].map((one) => one.cost);
    expect(costs.sort((one, other) => one - other)).toEqual([1, cost]);
  });

  it('is what workers tell to have settled', async () => {
    const worker = await stack.addWorker();
    const told = jest.spyOn(worker.context.tally, 'settled');
    const vehicles = Array.from({ length: 25 }, () => makePlainVehicle());
    const body = makeBody({ vehicles });
    await stack.post('alpha', '/ppai/policies', body, 'respond-async');
    await stack.untilTerminal(body.externalTransactionId);
    expect(told.mock.calls.flat(2)).toMatchObject([{ cost: 2.5 }]);
  });
});

describe('the rate of the workers', () => {
  const report = { tookAny: true, settled: 1 };

  it('is in transmissions for people and in their cost for estimates', async () => {
    const tally = makeTally();
    tally.settled([
      { id: randomUUID(), cost: 50 },
      { id: randomUUID(), cost: 1 },
    ]);
    const { costPerSecond, ...read } = tally.read();
    expect(read.settled).toBe(2);
    expect(costPerSecond / read.settledPerSecond).toBeCloseTo(25.5);
    expect(tally.read()).toMatchObject({ settled: 0, settledPerSecond: 0, costPerSecond: 0 });

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

  it('is one for each transmission of a worker of the release before, which tells no cost', async () => {
    const { db } = stack.api.context;
    const id = randomUUID();
    await db.$executeRaw`
      INSERT INTO worker_processes (id, last_taken_at, settled, settled_per_second) VALUES (${id}::uuid, now(), 7, 7)`;
    expect(await readBacklog(db)).toMatchObject({ settledPerSecond: 7, costPerSecond: 7 });
  });
});
