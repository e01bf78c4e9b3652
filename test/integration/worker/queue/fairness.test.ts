import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '../../../../shared/db/prisma.ts';
import { type TakenTransmission, take } from '../../../../shared/store/intake/processing.ts';
import { makeBatchesInHand } from '../../../../worker/batches-in-hand.ts';
import { processTransmission } from '../../../../worker/process-transmission.ts';
import { fillBacklog } from '../../../env/api/backlog.ts';
import { makeBody, makePlainVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { entriesRead } from '../../../env/records/entries-read.ts';
import { makeHands } from '../../../env/records/hands.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ workers: 0 });
});
afterEach(() => stack.stop());

const OPTIONS = { leaseSeconds: 60, transmissionsMax: 10, vehiclesMax: 20 };

async function dump(
  client: string,
  issuingInsurerCode: string,
  count: number,
  vehicles: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let sent = 0; sent < count; sent += 1) {
    const body = makeBody({
      issuingInsurerCode,
      vehicles: Array.from({ length: vehicles }, () => makePlainVehicle()),
    });
    const answer = await stack.post(client, '/ppai/policies', body, 'respond-async');
    expect(answer.status).toBe(202);
    ids.push(body.externalTransactionId);
  }
  return ids;
}

/** Takes, and counts the entries of the indexes of transmissions that are read for it. */
async function takeAndCount(): Promise<{
  taken: readonly TakenTransmission[];
  entriesRead: number;
}> {
  const db = openDb({ databaseUrl: stack.config.databaseUrl, poolMax: 1, applicationName: 'test' });
  try {
    const before = await entriesRead(db);
    const { taken } = await take(db, undefined, OPTIONS);
    return { taken, entriesRead: (await entriesRead(db)) - before };
  } finally {
    await db.$disconnect();
  }
}

describe('under backlog a batch', () => {
  it.each([
    ['certificates', { kind: 'CREATE' }, 6],
    ['changes of many records', { kind: 'AMEND', records: 5_000 }, 2],
    ['changes of one record', { kind: 'AMEND', records: 1 }, 2],
  ] as const)(
    'finds the one of a small organization without walking past the %s that another has dumped',
    async (_what, changes, expected) => {
      await fillBacklog(stack.ownerDb, 'MGT-ONE', 5_000, changes);
      const [small] = await dump('bravo', 'INS-BRAVO', 1, 1);
      const { taken, entriesRead } = await takeAndCount();
      expect(taken).toHaveLength(expected);
      expect(taken.map(({ externalTransactionId }) => externalTransactionId)).toContain(small);
      expect(entriesRead).toBeLessThan(1_000);
    },
  );

  it('takes from every organization that waits, each in its order of receipt', async () => {
    const pool = await dump('mgt-one', 'INS-ALPHA', 30, 1);
    const small = await dump('bravo', 'INS-BRAVO', 2, 1);
    const { taken } = await take(stack.api.context.db, undefined, OPTIONS);
    expect(taken).toHaveLength(7);
    expect(taken.map((one) => one.externalTransactionId)).toEqual([...pool.slice(0, 5), ...small]);
  });

  it('shares by vehicles, not by transmissions', async () => {
    await dump('mgt-one', 'INS-ALPHA', 5, 8);
    const small = await dump('bravo', 'INS-BRAVO', 5, 1);
    const { taken } = await take(stack.api.context.db, undefined, OPTIONS);
    expect(taken.map((one) => one.externalTransactionId)).toEqual(expect.arrayContaining(small));
    expect(taken).toHaveLength(small.length + 1);
  });

  it('takes the first one even when it is larger than a batch', async () => {
    await dump('alpha', 'INS-ALPHA', 1, 30);
    const { taken } = await take(stack.api.context.db, undefined, OPTIONS);
    expect(taken).toHaveLength(1);
  });

  it('lets nobody starve who sends one larger than a share', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 500, { kind: 'CREATE' });
    const [large] = await dump('bravo', 'INS-BRAVO', 1, 20);
    const takings: string[][] = [];
    // It has half of the work of a batch, so half of them take it.
    for (let looks = 0; looks < 40 && !takings.flat().includes(large ?? ''); looks += 1) {
      const { taken } = await take(stack.api.context.db, undefined, OPTIONS);
      takings.push(taken.map((one) => one.externalTransactionId));
    }
    expect(takings.at(-1)).toContain(large);
    expect(takings.every((ids) => ids.length >= 1 && ids.length <= 10)).toBe(true);
  });

  it('takes nothing of organizations that are left out', async () => {
    await dump('mgt-one', 'INS-ALPHA', 3, 1);
    const small = await dump('bravo', 'INS-BRAVO', 2, 1);
    const { db } = stack.api.context;
    const { id } = await db.organization.findUniqueOrThrow({ where: { code: 'MGT-ONE' } });
    const exceptOrganizationIds = [id];
    const { taken, isAll } = await take(db, undefined, { ...OPTIONS, exceptOrganizationIds });
    expect(taken.map((one) => one.externalTransactionId)).toEqual(small);
    expect(isAll).toBe(true);
  });

  it('of a large organization is not waited for by a small one, of which others came before', async () => {
    const { db } = stack.api.context;
    // One place, and a clock that stands: small shares are expected for as long as the batch hangs.
    const batches = makeBatchesInHand(1, { now: () => 0, pass: sleep });
    const hands = { ...makeHands(stack.api.context), batches };
    const idOf = async (externalTransactionId = '') =>
      (await db.transmission.findFirstOrThrow({ where: { externalTransactionId } })).id;
    const isAccepted = async (externalTransactionId = '') =>
      (await db.transmission.count({ where: { externalTransactionId, status: 'ACCEPTED' } })) === 1;
    const [first] = await dump('mgt-one', 'INS-ALPHA', 60, 1);
    const [before] = await dump('bravo', 'INS-BRAVO', 1, 1);

    let handled: Promise<unknown> = Promise.resolve();
    await db.$transaction(
      async (tx) => {
        // What refers to this insurer waits at its settlement.
        await tx.$queryRaw`SELECT FROM organizations WHERE code = 'INS-ALPHA' FOR UPDATE`;
        const large = processTransmission(hands, { id: await idOf(first) });
        while (!(await isAccepted(before))) await sleep(20);
        const [after] = await dump('bravo', 'INS-BRAVO', 1, 1);
        const small = processTransmission(hands, { id: await idOf(after) });
        while (!(await isAccepted(after))) await sleep(20);
        expect(await isAccepted(first)).toBe(false);
        handled = Promise.all([large, small]);
      },
      { timeout: 20_000 },
    );
    await handled;
    expect(await db.transmission.count({ where: { status: 'ACCEPTED' } })).toBe(62);
  });

  it('is followed by others until nothing waits, whatever the queue knows', async () => {
    await dump('mgt-one', 'INS-ALPHA', 60, 1);
    await dump('bravo', 'INS-BRAVO', 5, 1);
    const worker = await stack.addWorker();
    const { db } = stack.api.context;
    const first = await db.transmission.findFirstOrThrow({ orderBy: { sequence: 'asc' } });
    await processTransmission(worker.context, { id: first.id });
    await untilSeen(
      () => db.transmission.count({ where: { completedAt: null } }),
      (waiting) => waiting === 0,
    );
    expect(await db.transmission.count({ where: { status: 'ACCEPTED' } })).toBe(65);
  });
});
