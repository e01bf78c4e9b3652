import type { TransmissionListQuery } from '../../../../shared/contract/machine/transmissions/list.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { readBatchGroups } from '../../../../shared/store/own-transmissions/batch.ts';
import { listOwnTransmissions } from '../../../../shared/store/own-transmissions/list.ts';
import {
  findByExternalIds,
  findByReferences,
} from '../../../../shared/store/own-transmissions/lookup.ts';
import { countIndexReads } from '../../../env/records/count-index-reads.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

// Lists of an organization with 20,000 transmissions read one page of them, whatever the planner knows about the table (D35, D64).

const COUNT = 20_000;
const OPEN_COUNT = 2_000;
const REJECTED_EVERY = 200;
/** One in so many is an amendment, and one a cancellation. */
const CHANGED_EVERY = 500;
const BATCH_SIZE = 250;
const LIMIT = 100;
/** A page, the same from a second index, and the row that tells whether there is a next page. */
const PAGE_READS_MAX = 3 * LIMIT;
/** Transmission n of each organization was received n minutes after this. */
const START = new Date('2026-10-01T00:00:00Z');

let database: TestDatabase;
let db: Db;
let organizationId: string;

async function fill(): Promise<void> {
  await db.$executeRaw`ALTER TABLE transmissions SET (autovacuum_enabled = off)`;
  await db.organization.createMany({
    data: ['INS-OWN', 'INS-OTHER'].map((code) => ({
      code,
      name: code,
      type: 'INSURANCE_COMPANY' as const,
    })),
  });
  await db.$executeRaw`
    INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
      request_hash, body_sealed, request_id, received_at, status, batch, completed_at, acknowledgment, error_code)
    SELECT gen_random_uuid(), n, 'PPAI-TX-' || o.code || '-' || n, o.id, 'EXTERNAL-' || n, s.kind, 'client', '', '', 'r',
      ${START}::timestamptz + n * interval '1 minute', s.status, 'BATCH-' || lpad((n / ${BATCH_SIZE}::int)::text, 8, '0'),
      CASE WHEN s.status <> 'RECEIVED' THEN now() END, CASE WHEN s.status <> 'RECEIVED' THEN '{"errors":[]}'::json END,
      CASE WHEN s.status = 'REJECTED' THEN 'VALIDATION_FAILED' END
    FROM organizations o, generate_series(1, ${COUNT}::int) AS n
    CROSS JOIN LATERAL (
      SELECT CASE
        WHEN n <= ${OPEN_COUNT}::int THEN 'RECEIVED'
        WHEN n % ${REJECTED_EVERY}::int = 0 THEN 'REJECTED'
        ELSE 'ACCEPTED' END AS status,
        CASE n % ${CHANGED_EVERY}::int WHEN 1 THEN 'AMEND' WHEN 2 THEN 'CANCEL' ELSE 'CREATE' END AS kind) AS s
    WHERE o.code IN ('INS-OWN', 'INS-OTHER')`;
  const { id } = await db.organization.findUniqueOrThrow({ where: { code: 'INS-OWN' } });
  organizationId = id;
}

const minute = (n: number) => new Date(START.getTime() + n * 60_000).toISOString();
const EVERY_FILTER: readonly (readonly [string, Partial<TransmissionListQuery>])[] = [
  ['all transmissions', {}],
  ['open transmissions', { open: true }],
  ['accepted transmissions', { status: ['ACCEPTED'] }],
  ['rejected transmissions', { failed: true }],
  ['rejected or open transmissions', { status: ['RECEIVED', 'REJECTED'] }],
  ['transmissions with an error code', { errorCode: 'VALIDATION_FAILED' }],
  ['registrations', { kind: 'CREATE' }],
  ['amendments', { kind: 'AMEND', limit: 10 }],
  ['cancellations', { kind: 'CANCEL', limit: 10 }],
  ['accepted amendments', { kind: 'AMEND', status: ['ACCEPTED'], limit: 10 }],
  ['amendments before a time', { kind: 'AMEND', limit: 10, receivedTo: minute(5_000) }],
  ['transmissions of a batch', { batch: 'BATCH-00000040' }],
  ['open transmissions of a batch', { batch: 'BATCH-00000002', open: true }],
  ['transmissions of a batch in progress', { batch: 'BATCH-00000008' }],
  ['rejected transmissions of a batch', { batch: 'BATCH-00000040', failed: true }],
  ['transmissions before a time', { receivedTo: minute(5_000) }],
  ['transmissions of a day', { receivedFrom: minute(9_000), receivedTo: minute(9_050) }],
  ['the newest transmissions', { receivedFrom: minute(COUNT - 10) }],
];

const list = (query: Partial<TransmissionListQuery>) =>
  db.$transaction((tx) => listOwnTransmissions(tx, organizationId, { limit: LIMIT, ...query }));

async function countReads(read: () => Promise<unknown>): Promise<number> {
  const before = await countIndexReads(db);
  await read();
  return (await countIndexReads(db)) - before;
}

/** The number of rows of transmissions read by means of an index so far. */
async function countRowsFetched(): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  const [table] = await db.$queryRaw<{ fetched: number }[]>`
    SELECT idx_tup_fetch::int AS fetched FROM pg_stat_user_tables WHERE relname = 'transmissions'`;
  return table?.fetched ?? Number.NaN;
}

describe.each([
  ['without statistics', false],
  ['with statistics', true],
])('a table %s', (_what, isAnalyzed) => {
  beforeAll(async () => {
    database = await makeTestDatabase();
    // One connection, because other connections update the statistics at any time.
    db = openDb({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'test' });
    await fill();
    if (isAnalyzed) await db.$executeRaw`VACUUM (ANALYZE) transmissions`;
  });
  afterAll(async () => {
    await db.$disconnect();
    await database.drop();
  });

  it.each(EVERY_FILTER)('%s come from an index, page by page', async (_name, query) => {
    const first = await list(query);
    expect(first.items.length).toBeGreaterThan(0);
    expect(await countReads(() => list(query))).toBeLessThanOrEqual(PAGE_READS_MAX);
    const { nextCursor: cursor } = first;
    if (cursor === null) return;
    expect(await countReads(() => list({ ...query, cursor }))).toBeLessThanOrEqual(PAGE_READS_MAX);
  });

  it('a batch is counted from its index', async () => {
    const read = () => readBatchGroups(db, organizationId, 'BATCH-00000040');
    const counted = (await read()).map(({ status, transmissions }) => [status, transmissions]);
    expect(new Map(counted as [string, number][])).toEqual(
      new Map([
        ['ACCEPTED', BATCH_SIZE - 2],
        ['REJECTED', 2],
      ]),
    );
    expect(await countReads(read)).toBeLessThanOrEqual(BATCH_SIZE);
  });

  if (isAnalyzed)
    it('what is completed of a batch is counted without reading its rows', async () => {
      const before = await countRowsFetched();
      await readBatchGroups(db, organizationId, 'BATCH-00000040');
      expect((await countRowsFetched()) - before).toBe(0);
    });

  it('500 names are looked up one by one', async () => {
    const numbers = Array.from({ length: 500 }, (_, n) => n * 30 + 1);
    const ids = numbers.map((n) => `EXTERNAL-${n}`);
    const references = numbers.map((n) => `PPAI-TX-INS-OWN-${n}`);
    const byId = () => findByExternalIds(db, organizationId, ids);
    const byReference = () => findByReferences(db, organizationId, references);
    expect([(await byId()).size, (await byReference()).size]).toEqual([500, 500]);
    expect(await countReads(byId)).toBeLessThanOrEqual(600);
    expect(await countReads(byReference)).toBeLessThanOrEqual(600);
  });
});
