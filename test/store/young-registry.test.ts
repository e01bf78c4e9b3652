import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '../../shared/store/db.ts';
import type { WorkerContext } from '../../worker/context.ts';
import { processTransmission } from '../../worker/process-transmission.ts';
import { makeBody } from '../env/bodies.ts';
import { makeHands } from '../env/hands.ts';
import { type Stack, startStack } from '../env/stack.ts';

// The first dump of a registry: the database keeps the plans that it made while there was nothing, until it next looks
// at its tables, and that may be a minute and a hundred thousand certificates later.

let stack: Stack;
/** One connection, which keeps the plans that it made. */
let db: Db;
let worker: WorkerContext;

const TABLES = [
  'policies',
  'certificates',
  'vehicles',
  'vehicle_identifiers',
  'certificate_vehicles',
];
const DUMPED = 400;
const MEASURED = 20;

beforeAll(async () => {
  stack = await startStack({ workers: 0, environment: { LOG_LEVEL: 'silent' } });
  db = openDb({ databaseUrl: stack.config.databaseUrl, poolMax: 1, applicationName: 'test' });
  for (const table of TABLES)
    await db.$executeRawUnsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  worker = { ...makeHands(stack.api.context), db };
});
afterAll(async () => {
  await db.$disconnect();
  await stack.stop();
});

type Body = ReturnType<typeof makeBody>;

async function record(bodies: readonly Body[]): Promise<void> {
  for (const body of bodies) {
    expect((await stack.post('alpha', '/ppai/policies', body, 'respond-async')).status).toBe(202);
  }
}

async function settleAll(): Promise<void> {
  const { id } = await db.transmission.findFirstOrThrow({ where: { completedAt: null } });
  await processTransmission(worker, { id });
  expect(await db.transmission.count({ where: { completedAt: null } })).toBe(0);
}

async function entriesRead(): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  const [sum] = await db.$queryRaw<{ read: number }[]>`
    SELECT ((SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY(${TABLES}))
      + (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY(${TABLES})))::int AS read`;
  return sum?.read ?? Number.NaN;
}

/** What everybody asks: is the vehicle covered, and what became of the transmission. */
async function ask({ externalTransactionId, vehicles }: Body): Promise<void> {
  for (const path of [
    `/ppai/vehicles/${vehicles[0]?.plateNumber}/coverage`,
    `/ppai/transmissions/${externalTransactionId}`,
  ]) {
    expect((await stack.get('alpha', path)).status).toBe(200);
  }
}

describe('while the first dump fills a registry', () => {
  it('what is registered and asked is looked up by keys, with the plans of the empty registry', async () => {
    // One by one at first, so that every statement has its plan.
    for (let settled = 0; settled < 12; settled += 1) {
      const body = makeBody();
      await record([body]);
      await settleAll();
      await ask(body);
    }
    const dumped = Array.from({ length: DUMPED }, () => makeBody());
    await record(dumped);
    await settleAll();
    const before = await entriesRead();
    const again = dumped.slice(0, MEASURED / 2).map(({ vehicles }) => makeBody({ vehicles }));
    await record([...again, ...Array.from({ length: MEASURED / 2 }, () => makeBody())]);
    await settleAll();
    expect(((await entriesRead()) - before) / MEASURED).toBeLessThan(60);
    const beforeAsked = await entriesRead();
    for (const body of again) await ask(body);
    // Until the connections of the API tell of what they read.
    await sleep(1_200);
    await ask(dumped[0] ?? makeBody());
    const asked = (await entriesRead()) - beforeAsked;
    expect(asked).toBeGreaterThan(again.length);
    expect(asked / again.length).toBeLessThan(60);
  });
});
