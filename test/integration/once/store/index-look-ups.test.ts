import { randomBytes, randomUUID } from 'node:crypto';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { readSubmission } from '../../../../shared/domain/registration/submission.ts';
import { type CriteriaQuery, readCriteria } from '../../../../shared/domain/search-criteria.ts';
import { makeKeyring } from '../../../../shared/platform/secrets/sealing.ts';
import { findCoverages } from '../../../../shared/store/registry/coverage.ts';
import {
  notePoolViewers,
  showNextPortion,
} from '../../../../shared/store/registry/feed/show-pool.ts';
import { findRecord } from '../../../../shared/store/registry/records/records.ts';
import { searchRecords } from '../../../../shared/store/registry/search-records.ts';
import { findVisibleCertificate } from '../../../../shared/store/registry/visible-certificates.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { GROWING_TABLES } from '../../../env/records/growing-tables.ts';
import { fillRegistry } from '../../../env/records/synthetic-registry.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

const VEHICLES = 30_000;
const TODAY = '2026-10-15';
const NOW = new Date('2026-10-15T02:00:00Z');
const SIZE = {
  vehicles: VEHICLES,
  vehiclesPerCertificate: 2,
  periods: 2,
  fleetCertificates: 500,
  today: TODAY,
} as const;

const keyring = makeKeyring([{ id: 'test', key: randomBytes(32) }]);
const operatorId = randomUUID();

type Viewer = Parameters<typeof findVisibleCertificate>[2];
type Reading = (viewer: Viewer) => Promise<unknown>;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await makeTestDatabase();
  const sealed = keyring.seal(JSON.stringify(readSubmission(makeBody()).operator), operatorId);
  await fillRegistry(database.ownerUrl, SIZE, { id: operatorId, sealed });
  // One connection: the counts of others reach the statistics whenever they like.
  db = openDb({ databaseUrl: database.url, poolMax: 1, applicationName: 'test' });
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

const search =
  (asked: CriteriaQuery, status?: 'EXPIRED' | 'ACTIVE', page = 1): Reading =>
  (viewer) => {
    const criteria = readCriteria(asked);
    if (criteria === undefined) throw new Error('a search needs a criterion');
    const question = { criteria, status, page, pageSize: 25, viewer, now: NOW, today: TODAY };
    return searchRecords(db, keyring, question);
  };
const coverage =
  (identifier: string): Reading =>
  (viewer) =>
    findCoverages(db, [{ identifier, asOf: TODAY, pastSince: null, viewer }], NOW);
const fourIdentifiers = {
  plateNumber: 'P20000',
  mvFileNumber: 'MF20000',
  engineNumber: 'EN20000',
  chassisNumber: 'CH20000',
};

const READINGS: readonly (readonly [string, Reading])[] = [
  ['a search by plate', search({ plateNumber: 'P20000' })],
  ['a search by historical plate', search({ plateNumber: 'OLD20000' })],
  ['a search by an unknown plate', search({ plateNumber: 'NOBODY1' })],
  ['a search by four identifiers', search(fourIdentifiers)],
  ['a search by policy number', search({ policyNumber: 'POL4000' })],
  ['a search by the policy of a fleet', search({ policyNumber: 'POL0' })],
  ['a late page of the expired ones of a fleet', search({ policyNumber: 'POL0' }, 'EXPIRED', 5)],
  ['a search by COC number', search({ cocNumber: 'COC4000' })],
  [
    'a search by plate, policy and COC number',
    search({ plateNumber: 'P20000', policyNumber: 'POL4000', cocNumber: 'COC4000' }, 'ACTIVE'),
  ],
  ['the record of an unknown reference', (viewer) => readRecord('PPAI-2026-000099999', viewer)],
  ['the record of a reference', (viewer) => readRecord('PPAI-2026-000000100', viewer)],
  [
    'the record that a change names',
    (viewer) => findVisibleCertificate(db, 'PPAI-2026-000000100', viewer),
  ],
  ['the coverage of a plate', coverage('P20000')],
  ['the coverage of a chassis', coverage('CH20000')],
  ['the coverage of an unknown vehicle', coverage('NOBODY1')],
];

const VIEWERS = [
  ['an insurer', 'INS-1', false],
  ['a pool', 'POOL', false],
  ['the regulator', 'INS-2', true],
] as const;

describe.each(VIEWERS)('as seen by %s', (_viewer, organizationCode, isRegulator) => {
  it.each(READINGS)('%s reads no growing table from end to end', async (_reading, read) => {
    const { id } = await db.organization.findUniqueOrThrow({ where: { code: organizationCode } });
    const before = await tableScans();
    await read({ organizationId: id, organizationCode, isRegulator });
    expect(await tableScans()).toEqual(before);
  });
});

it('a portion of the records of a pool reads no growing table from end to end', async () => {
  const [pool, viewer] = await Promise.all(
    ['POOL', 'INS-9'].map((code) => db.organization.findUniqueOrThrow({ where: { code } })),
  );
  const change = { poolId: pool?.id ?? '', remainingIds: [], gainingIds: [viewer?.id ?? ''] };
  await db.$transaction((tx) => notePoolViewers(tx, change));
  const before = await tableScans();
  expect(await showNextPortion(db, 1_000)).toMatchObject({ isDone: false });
  expect(await showNextPortion(db, 1_000)).toMatchObject({ isDone: false });
  expect(await tableScans()).toEqual(before);
});

it('a read without an index is noticed', async () => {
  const before = await tableScans();
  await db.$queryRaw`SELECT count(*)::int AS n FROM vehicles WHERE make = 'nobody'`;
  expect(await tableScans()).not.toEqual(before);
});

/** The synthetic snapshots cannot be opened; the statements have run by then. */
async function readRecord(reference: string, viewer: Viewer): Promise<void> {
  await findRecord(db, keyring, reference, viewer, NOW).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'SealError') throw error;
  });
}

/** How often each growing table was read from end to end so far. */
async function tableScans(): Promise<unknown> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  return db.$queryRaw`
    SELECT relname, seq_scan::int AS scans FROM pg_stat_user_tables
    WHERE relname = ANY(${GROWING_TABLES}) ORDER BY relname`;
}
