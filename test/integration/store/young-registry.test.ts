import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { type Db, openDb } from '../../../shared/db/prisma.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { drain } from '../../../worker/drain.ts';
import { makeBody, today, uniqueNumber } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { makeIdleWorker } from '../../env/records/idle-worker.ts';

// The first bulk load of a registry: PostgreSQL keeps the plans that it made for empty tables until the next ANALYZE,
// which may be a minute and a hundred thousand certificates later. It treats a table without statistics as small. It
// treats a table that was empty at the last ANALYZE as empty, and then all of its indexes seem equally good.

let stack: Stack;
/** One connection, like the API's, so that it reuses the plans that it made. */
let db: Db;
let worker: WorkerContext;

const TABLES = [
  'transmissions',
  'policies',
  'certificates',
  'certificate_versions',
  'vehicles',
  'vehicle_identifiers',
  'certificate_vehicles',
];
const FIRST_CERTIFICATES = 8;
const BULK_CERTIFICATES = 300;
/** PostgreSQL plans a prepared statement five times before it may cache a generic plan. */
const RUNS_UNTIL_CACHED = 7;
const MEASURED_CERTIFICATES = 5;

async function startEmpty({ isAnalyzed }: { isAnalyzed: boolean }) {
  stack = await startStack({ workers: 0, environment: { DATABASE_POOL_MAX: '1' } });
  db = openDb({
    databaseUrl: stack.config.databaseUrl,
    poolMax: 1,
    applicationName: 'test',
    plansOnce: true,
  });
  for (const table of TABLES)
    await stack.ownerDb.$executeRawUnsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  if (isAnalyzed) await stack.ownerDb.$executeRawUnsafe(`ANALYZE ${TABLES.join(', ')}`);
  worker = { ...makeIdleWorker(stack.api.context), db };
  const unregistered = makeBody();
  for (let times = 0; times < RUNS_UNTIL_CACHED; times += 1) {
    for (const path of readPathsOf(unregistered, 'PPAI-2026-000000001'))
      await stack.get('alpha', path);
  }
}
afterEach(async () => {
  await db.$disconnect();
  await stack.stop();
});

async function post(path: string, body: object): Promise<void> {
  expect((await stack.post('alpha', path, body, 'respond-async')).status).toBe(202);
}

/** A job with an unknown id is enough, because a drain claims everything that waits. */
const drainAll = () => drain(worker, { id: randomUUID() });

function readPathsOf(
  { externalTransactionId, policy, certificate, vehicles }: TransmissionBody,
  registryReference: string,
): string[] {
  const [vehicle] = vehicles;
  return [
    `/ppai/policies/${registryReference}`,
    `/ppai/policies/search?plateNumber=${vehicle?.plateNumber}`,
    `/ppai/policies/search?cocNumber=${certificate.cocNumber}`,
    `/ppai/policies/search?policyNumber=${policy.policyNumber}&status=CANCELLED`,
    `/ppai/vehicles/${vehicle?.plateNumber}/coverage`,
    `/ppai/transmissions/${externalTransactionId}`,
  ];
}

/** Sends what may follow a registration: a second cover, a renewal, an amendment, a cancellation and reads. */
async function sendFollowUps(body: TransmissionBody) {
  const { policy, certificate, vehicles } = body;
  const renewed = addDays(certificate.expirationDate ?? '', 1);
  const { registryReference } = await db.certificate.findFirstOrThrow({
    where: { cocNumber: certificate.cocNumber ?? '' },
  });
  const record = `/ppai/policies/${registryReference}`;
  await post('/ppai/policies', makeBody({ vehicles }));
  await drainAll();
  const period = { effectiveDate: renewed, expirationDate: addDays(renewed, 365) };
  await post('/ppai/policies', makeBody({ vehicles, certificate: period }));
  await drainAll();
  await post(`${record}/amendments`, {
    externalTransactionId: uniqueNumber('AMEND'),
    reason: 'as the policy says',
    changes: { policy: { remarks: uniqueNumber('REMARK') } },
  });
  await drainAll();
  await post(`${record}/cancellation`, {
    externalTransactionId: uniqueNumber('CANCEL'),
    policyNumber: policy.policyNumber,
    cocNumber: certificate.cocNumber,
    cancellationEffectiveDate: today(),
    reasonCode: 'OPERATOR_REQUEST',
    reasonText: 'Sold',
  });
  await drainAll();
  for (const path of readPathsOf(body, registryReference)) {
    expect((await stack.get('alpha', path)).status).toBe(200);
  }
}

/** Index entries and rows of sequential scans that were read so far, by index or table. */
async function countIndexReads(): Promise<ReadonlyMap<string, number>> {
  // Until the connections of the API have reported their statistics.
  await sleep(1_200);
  await stack.get('alpha', '/ppai/transmissions/NONE');
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  const rows = await db.$queryRaw<{ name: string; read: number }[]>`
    SELECT indexrelname AS name, idx_tup_read::int AS read FROM pg_stat_user_indexes WHERE relname = ANY(${TABLES})
    UNION ALL
    SELECT relname, seq_tup_read::int FROM pg_stat_user_tables WHERE relname = ANY(${TABLES})`;
  return new Map(rows.map(({ name, read }) => [name, read]));
}

it.each([
  { isAnalyzed: false, when: 'without statistics' },
  { isAnalyzed: true, when: 'analyzed while empty' },
])(
  'during the first bulk load everything is looked up by key, with plans for tables $when',
  async (given) => {
    await startEmpty(given);
    for (let count = 0; count < FIRST_CERTIFICATES; count += 1) {
      const body = makeBody();
      await post('/ppai/policies', body);
      await drainAll();
      await sendFollowUps(body);
    }
    const bulk = Array.from({ length: BULK_CERTIFICATES }, () => makeBody());
    for (const body of bulk) await post('/ppai/policies', body);
    await drainAll();
    const before = await countIndexReads();
    for (const body of bulk.slice(0, MEASURED_CERTIFICATES)) await sendFollowUps(body);
    const after = await countIndexReads();
    expect(await db.transmission.count({ where: { completedAt: null } })).toBe(0);
    const read = [...after].map(([name, entries]) => ({
      name,
      entries: (entries - (before.get(name) ?? 0)) / MEASURED_CERTIFICATES,
    }));
    expect(read.filter(({ entries }) => entries >= BULK_CERTIFICATES)).toEqual([]);
    expect(read.filter(({ entries }) => entries > 0).map(({ name }) => name)).toContain(
      'vehicle_identifiers_pkey',
    );
  },
);
