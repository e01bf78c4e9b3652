import { setTimeout as sleep } from 'node:timers/promises';
import { openDb } from '../../../../shared/db/prisma.ts';
import { type ClaimedTransmission, claim } from '../../../../shared/store/intake/claim.ts';
import { drain } from '../../../../worker/drain.ts';
import { fillBacklog } from '../../../env/api/backlog.ts';
import { makeBody, makePlainVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { countIndexReads } from '../../../env/records/count-index-reads.ts';
import { makeIdleWorker } from '../../../env/records/idle-worker.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ workers: 0 });
});
afterEach(() => stack.stop());

const OPTIONS = { leaseSeconds: 60, transmissionsMax: 10, vehiclesMax: 20 };

/** Posts certificates while no worker runs. Returns their external ids. */
async function post(
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

const externalIds = (claimed: readonly ClaimedTransmission[]) =>
  claimed.map(({ externalTransactionId }) => externalTransactionId);

async function claimNext(): Promise<string[]> {
  return externalIds((await claim(stack.api.context.db, undefined, OPTIONS)).claimed);
}

describe('under backlog a claim', () => {
  it.each([
    ['certificates', { kind: 'CREATE' }, 10],
    ['changes of many records', { kind: 'AMEND', records: 5_000 }, 2],
    ['changes of one record', { kind: 'AMEND', records: 1 }, 2],
  ] as const)(
    'finds the transmission of a small organization without reading 5,000 %s of another one',
    async (_what, changes, expected) => {
      await fillBacklog(stack.ownerDb, 'MGT-ONE', 5_000, changes);
      const [small] = await post('bravo', 'INS-BRAVO', 1, 1);
      const db = openDb({
        databaseUrl: stack.config.databaseUrl,
        poolMax: 1,
        applicationName: 'test',
      });
      try {
        const before = await countIndexReads(db);
        const { claimed } = await claim(db, undefined, OPTIONS);
        expect(claimed).toHaveLength(expected);
        expect(externalIds(claimed)).toContain(small);
        expect((await countIndexReads(db)) - before).toBeLessThan(1_000);
      } finally {
        await db.$disconnect();
      }
    },
  );

  it('takes transmissions of every waiting organization, each in its order of receipt', async () => {
    const [first, second, third, ...pool] = await post('mgt-one', 'INS-ALPHA', 30, 1);
    const small = await post('bravo', 'INS-BRAVO', 2, 1);
    const both = [first, second, small[0], third, small[1]];
    expect(await claimNext()).toEqual([...both, ...pool.slice(0, 5)]);
  });

  it('gives equal shares by vehicles, not by transmissions', async () => {
    await post('mgt-one', 'INS-ALPHA', 5, 8);
    const small = await post('bravo', 'INS-BRAVO', 5, 1);
    const claimed = await claimNext();
    expect(claimed).toEqual(expect.arrayContaining(small));
    expect(claimed).toHaveLength(small.length + 1);
  });

  it('takes the first transmission even if it exceeds the limits', async () => {
    await post('alpha', 'INS-ALPHA', 1, 30);
    expect(await claimNext()).toHaveLength(1);
  });

  it('does not starve an organization with a certificate that is larger than its share', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 500, { kind: 'CREATE' });
    const [large = ''] = await post('bravo', 'INS-BRAVO', 1, 20);
    const claims: string[][] = [];
    while (claims.length < 5 && !claims.flat().includes(large)) claims.push(await claimNext());
    expect(claims.at(-1)).toContain(large);
    expect(claims.every((ids) => ids.length >= 1 && ids.length <= 10)).toBe(true);
  });

  it('makes an organization that posts one at a time wait for at most one batch', async () => {
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 500, { kind: 'CREATE' });
    for (let round = 0; round < 5; round += 1) {
      const [small] = await post('bravo', 'INS-BRAVO', 1, 1);
      expect(await claimNext()).toContain(small);
    }
  });
});

it('a batch that hangs does not delay an organization that posts later', async () => {
  const { db } = stack.api.context;
  const worker = makeIdleWorker(stack.api.context);
  const idOf = async (externalTransactionId = '') =>
    (await db.transmission.findFirstOrThrow({ where: { externalTransactionId } })).id;
  const isAccepted = async (externalTransactionId = '') =>
    (await db.transmission.count({ where: { externalTransactionId, status: 'ACCEPTED' } })) === 1;
  const [first] = await post('mgt-one', 'INS-ALPHA', 50, 1);

  let handled: Promise<unknown> = Promise.resolve();
  await db.$transaction(
    async (tx) => {
      // The commit of the batch waits for this lock, because its certificates refer to the insurer.
      await tx.$queryRaw`SELECT FROM organizations WHERE code = 'INS-ALPHA' FOR UPDATE`;
      const large = drain(worker, { id: await idOf(first) });
      while ((await db.transmission.count({ where: { status: 'RECEIVED' } })) > 0) await sleep(20);
      const [after] = await post('bravo', 'INS-BRAVO', 1, 1);
      await drain(worker, { id: await idOf(after) });
      expect([await isAccepted(after), await isAccepted(first)]).toEqual([true, false]);
      handled = large;
    },
    { timeout: 20_000 },
  );
  await handled;
  expect(await db.transmission.count({ where: { status: 'ACCEPTED' } })).toBe(51);
});

it('a worker claims until nothing waits, whichever jobs are in the queue', async () => {
  await post('mgt-one', 'INS-ALPHA', 60, 1);
  await post('bravo', 'INS-BRAVO', 5, 1);
  const worker = await stack.addWorker();
  const { db } = stack.api.context;
  const first = await db.transmission.findFirstOrThrow({ orderBy: { sequence: 'asc' } });
  await drain(worker.context, { id: first.id });
  await untilSeen(
    () => db.transmission.count({ where: { completedAt: null } }),
    (waiting) => waiting === 0,
  );
  expect(await db.transmission.count({ where: { status: 'ACCEPTED' } })).toBe(65);
});
