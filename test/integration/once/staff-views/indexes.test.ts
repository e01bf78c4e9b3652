import { randomBytes, randomUUID } from 'node:crypto';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { readSubmission } from '../../../../shared/domain/registration/submission.ts';
import { makeKeyring } from '../../../../shared/platform/secrets/sealing.ts';
import {
  findReferenceVehicles,
  listReferenceVehicles,
} from '../../../../shared/store/reference/reference-vehicles.ts';
import { listRecords } from '../../../../shared/store/staff/records.ts';
import {
  findFlaggedVehicle,
  findVerdictOf,
  listFlagEvents,
} from '../../../../shared/store/staff/views/flag-evidence.ts';
import { listVehicles, readVehicles } from '../../../../shared/store/staff/views/vehicles.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { countRowsRead } from '../../../env/records/count-rows-read.ts';
import { GROWING_TABLES } from '../../../env/records/growing-tables.ts';
import { fillRegistry } from '../../../env/records/synthetic-registry.ts';
import { makeTestDatabase, type TestDatabase } from '../../../env/servers/postgres.ts';

const SIZE = {
  vehicles: 10_000,
  vehiclesPerCertificate: 2,
  periods: 2,
  fleetCertificates: 100,
  today: '2026-10-15',
} as const;
const REFERENCE_VEHICLES = 20_000;
const TABLES = [...GROWING_TABLES, 'reference_vehicles', 'audit_entries'];

const keyring = makeKeyring([{ id: 'test', key: randomBytes(32) }]);
const operatorId = randomUUID();
const flagId = randomUUID();

let database: TestDatabase;
let db: Db;
let vehicleIds: string[];
beforeAll(async () => {
  database = await makeTestDatabase();
  const sealed = keyring.seal(JSON.stringify(readSubmission(makeBody()).operator), operatorId);
  await fillRegistry(database.ownerUrl, SIZE, { id: operatorId, sealed });
  // One connection: the counts of others reach the statistics whenever they like.
  db = openDb({ databaseUrl: database.url, poolMax: 1, applicationName: 'test' });
  vehicleIds = (await db.vehicle.findMany({ take: 20, select: { id: true } })).map(({ id }) => id);
  const owner = openDb({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'test' });
  await fillReference(owner);
  await fillFlags(owner);
  await owner.$disconnect();
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
});

/** One vehicle in a hundred is of NCR. The others are of CAR. */
async function fillReference(owner: Db): Promise<void> {
  await owner.$executeRaw`INSERT INTO reference_regions (region) VALUES ('NCR'), ('CAR') ON CONFLICT DO NOTHING`;
  await owner.$executeRaw`
    INSERT INTO reference_vehicles (region, plate_number, mv_file_number, engine_number, chassis_number)
    SELECT CASE WHEN n % 100 = 0 THEN 'NCR' ELSE 'CAR' END, 'P' || n, 'MF' || n, 'EN' || n, 'CH' || n
    FROM generate_series(1, ${REFERENCE_VEHICLES}::int) n`;
  await owner.$executeRaw`ANALYZE reference_vehicles`;
}

/** A flag on each certificate; the one with `flagId` is on the first. */
async function fillFlags(owner: Db): Promise<void> {
  await owner.$executeRaw`
    INSERT INTO flags (id, type, certificate_id, vehicle_id, region, message, created_at)
    SELECT gen_random_uuid(), 'VEHICLE_MISMATCH', certificate_id, vehicle_id, 'NCR', 'No.', now()
    FROM certificate_vehicles`;
  await owner.$executeRaw`
    UPDATE flags SET id = ${flagId}::uuid WHERE id = (SELECT id FROM flags WHERE vehicle_id = ${vehicleIds[0]}::uuid LIMIT 1)`;
  await owner.$executeRaw`ANALYZE flags`;
}

const page = { limit: 50 } as const;
const plate = [{ kind: 'plateNumber', value: 'P4000' }] as const;

const READINGS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['vehicles by plate', () => listVehicles(db, { identifiers: plate, anyKind: null, page })],
  [
    'vehicles by an identifier of any kind',
    () => listVehicles(db, { identifiers: [], anyKind: 'EN4000', page }),
  ],
  [
    'vehicles by an unknown identifier',
    () => listVehicles(db, { identifiers: plate, anyKind: 'NOBODY1', page }),
  ],
  ['twenty vehicles with their covers', () => readVehicles(db, keyring, vehicleIds, 20)],
  ['the vehicle of a flag', () => findFlaggedVehicle(db, flagId)],
  ['the verdict of a flag', () => findVerdictOf(db, flagId)],
  ['the acts on a flag', () => listFlagEvents(db, flagId)],
  ['reference vehicles by an identifier', () => findReferenceVehicles(db, plate)],
  [
    'reference vehicles of a small region',
    () => listReferenceVehicles(db, { region: 'NCR', identifiers: [], page }),
  ],
  [
    'reference vehicles by plate',
    () => listReferenceVehicles(db, { region: undefined, identifiers: plate, page }),
  ],
];

it.each(READINGS)('%s are read without reading a table from end to end', async (_name, read) => {
  const before = await tableScans();
  await read();
  expect(await tableScans()).toEqual(before);
});

it('the readings find what they read', async () => {
  const vehicles = await readVehicles(db, keyring, vehicleIds, 20);
  expect(vehicles).toHaveLength(20);
  expect(vehicles.every(({ covers, owned }) => covers.length === 2 && owned.length >= 4)).toBe(
    true,
  );
  expect(await findFlaggedVehicle(db, flagId)).toMatchObject({ vehicleId: vehicleIds[0] });
  const found = await listReferenceVehicles(db, { region: 'NCR', identifiers: [], page });
  expect(found).toMatchObject({ total: REFERENCE_VEHICLES / 100, nextCursor: expect.any(String) });
});

it.each([{ lifecycle: 'CANCELLED' }, { status: 'CANCELLED' }] as const)(
  'a list of cancelled records reads no other ones: %j',
  async (filter) => {
    const question = {
      query: { ...filter, order: 'newest' as const, limit: 50 },
      criteria: undefined,
      now: new Date('2026-10-15T02:00:00Z'),
      today: SIZE.today,
    };
    const { value, rowsRead } = await countRowsRead(database.url, (one) =>
      listRecords(one, keyring, question),
    );
    const cancelled = await db.certificate.count({ where: { lifecycle: 'CANCELLED' } });
    expect(value.total).toBe(cancelled);
    expect(value.items).toHaveLength(50);
    expect(rowsRead).toBeLessThan(5 * cancelled);
  },
);

/** How often each table was read from end to end so far. */
async function tableScans(): Promise<unknown> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`;
  return db.$queryRaw`
    SELECT relname, seq_scan::int AS scans FROM pg_stat_user_tables
    WHERE relname = ANY(${TABLES}) ORDER BY relname`;
}
