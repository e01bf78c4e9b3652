import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { type Db, openDb } from '../../../shared/db/prisma.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import type { WorkerContext } from '../../../worker/context.ts';
import { processTransmission } from '../../../worker/process-transmission.ts';
import { makeBody, today, uniqueNumber } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { makeHands } from '../../env/records/hands.ts';

// The first dump of a registry: the database keeps the plans that it made while there was nothing, until it next looks
// at its tables, and that may be a minute and a hundred thousand certificates later. A table that it never looked at is
// taken for a small one; one that was empty when it looked, as after a nightly ANALYZE, for empty, and then each of its indexes
// seems to be as good as the other.

let stack: Stack;
/** One connection, as the API has, too: it keeps the plans that it made. */
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
const YOUNG = 8;
const DUMPED = 300;
/** The database plans a question of the API anew five times before it may keep the plan. */
const UNTIL_KEPT = 7;
const MEASURED = 5;

async function startYoung({ isLookedAt }: { isLookedAt: boolean }) {
  stack = await startStack({ workers: 0, environment: { DATABASE_POOL_MAX: '1' } });
  db = openDb({
    databaseUrl: stack.config.databaseUrl,
    poolMax: 1,
    applicationName: 'test',
    plansOnce: true,
  });
  for (const table of TABLES)
    await stack.ownerDb.$executeRawUnsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
  if (isLookedAt) await stack.ownerDb.$executeRawUnsafe(`ANALYZE ${TABLES.join(', ')}`);
  worker = { ...makeHands(stack.api.context), db };
  const asked = makeBody();
  for (let times = 0; times < UNTIL_KEPT; times += 1) {
    for (const path of questionsAbout(asked, 'PPAI-2026-000000001')) await stack.get('alpha', path);
  }
}
afterEach(async () => {
  await db.$disconnect();
  await stack.stop();
});

async function post(path: string, body: object): Promise<void> {
  expect((await stack.post('alpha', path, body, 'respond-async')).status).toBe(202);
}

/** A wake-up for nothing is enough. */
const settleAll = () => processTransmission(worker, { id: randomUUID() });

function questionsAbout(
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

/** What may become of a registered certificate: a second cover, a renewal, an amendment, an end, and questions. */
async function live(body: TransmissionBody) {
  const { policy, certificate, vehicles } = body;
  const renewed = addDays(certificate.expirationDate ?? '', 1);
  const { registryReference } = await db.certificate.findFirstOrThrow({
    where: { cocNumber: certificate.cocNumber ?? '' },
  });
  const record = `/ppai/policies/${registryReference}`;
  await post('/ppai/policies', makeBody({ vehicles }));
  await settleAll();
  const period = { effectiveDate: renewed, expirationDate: addDays(renewed, 365) };
  await post('/ppai/policies', makeBody({ vehicles, certificate: period }));
  await settleAll();
  await post(`${record}/amendments`, {
    externalTransactionId: uniqueNumber('AMEND'),
    reason: 'as the policy says',
    changes: { policy: { remarks: uniqueNumber('REMARK') } },
  });
  await settleAll();
  await post(`${record}/cancellation`, {
    externalTransactionId: uniqueNumber('CANCEL'),
    policyNumber: policy.policyNumber,
    cocNumber: certificate.cocNumber,
    cancellationEffectiveDate: today(),
    reasonCode: 'OPERATOR_REQUEST',
    reasonText: 'Sold',
  });
  await settleAll();
  for (const path of questionsAbout(body, registryReference)) {
    expect((await stack.get('alpha', path)).status).toBe(200);
  }
}

/** Entries of indexes and rows of whole tables, by their names. */
async function entriesRead(): Promise<ReadonlyMap<string, number>> {
  // Until the connections of the API have told what they read.
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
  { isLookedAt: false, when: 'that the database never looked at' },
  { isLookedAt: true, when: 'that the database found empty' },
])(
  'while the first dump fills a registry, everything is looked up by keys, with the plans of one $when',
  async (young) => {
    await startYoung(young);
    for (let lived = 0; lived < YOUNG; lived += 1) {
      const body = makeBody();
      await post('/ppai/policies', body);
      await settleAll();
      await live(body);
    }
    const dumped = Array.from({ length: DUMPED }, () => makeBody());
    for (const body of dumped) await post('/ppai/policies', body);
    await settleAll();
    const before = await entriesRead();
    for (const body of dumped.slice(0, MEASURED)) await live(body);
    const after = await entriesRead();
    expect(await db.transmission.count({ where: { completedAt: null } })).toBe(0);
    const read = [...after].map(([name, entries]) => ({
      name,
      entries: (entries - (before.get(name) ?? 0)) / MEASURED,
    }));
    expect(read.filter(({ entries }) => entries >= DUMPED)).toEqual([]);
    expect(read.filter(({ entries }) => entries > 0).map(({ name }) => name)).toContain(
      'vehicle_identifiers_pkey',
    );
  },
);
