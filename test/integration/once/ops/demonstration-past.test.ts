import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAST_DAYS } from '../../../../ops/demo/past/plan-bursts.ts';
import { writePast } from '../../../../ops/demo/past/write-past.ts';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { groupParked } from '../../../../shared/store/intake/parked.ts';
import { sweep } from '../../../../shared/store/intake/sweep.ts';
import { testConfig } from '../../../env/api/api-env.ts';
import { copyDemonstration } from '../../../env/api/demonstration.ts';
import { makeFailureLog } from '../../../env/failure-log.ts';
import {
  makeSeededDatabase,
  makeTestDatabase,
  type TestDatabase,
} from '../../../env/servers/postgres.ts';

let dataDir: string;
let database: TestDatabase;
let db: Db;
let begun: number;
const startedAt = new Date();

async function write(target: TestDatabase): Promise<number | undefined> {
  const { keys } = copyDemonstration(dataDir);
  return writePast({
    config: testConfig(target, undefined, { DATA_DIR: dataDir, ...keys }),
    logger: makeFailureLog(),
    onBegin: () => {
      begun += 1;
    },
  });
}

let written: number | undefined;
beforeAll(async () => {
  begun = 0;
  dataDir = mkdtempSync(join(tmpdir(), 'past-test-'));
  database = await makeSeededDatabase();
  db = openDb({ databaseUrl: database.url, poolMax: 2, applicationName: 'test' });
  written = await write(database);
});
afterAll(async () => {
  await db.$disconnect();
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

describe('the past of the demonstration', () => {
  it('has transmissions of every outcome, of four weeks', async () => {
    const byStatus = await db.transmission.groupBy({ by: ['status'], _count: true });
    const counts = Object.fromEntries(byStatus.map(({ status, _count }) => [status, _count]));
    expect(Object.keys(counts).sort()).toEqual(['ACCEPTED', 'FLAGGED', 'REJECTED', 'VALIDATING']);
    expect(counts['ACCEPTED']).toBeGreaterThan(1_000);
    expect(counts['FLAGGED']).toBeGreaterThan(50);
    expect(counts['REJECTED']).toBeGreaterThan(50);
    expect(written).toBe(await db.transmission.count());
    const rejected = await db.transmission.groupBy({ by: ['errorCode'] });
    expect(rejected.map(({ errorCode }) => errorCode)).toEqual(
      expect.arrayContaining(['VALIDATION_FAILED', 'VEHICLE_ALREADY_INSURED']),
    );
    const first = await db.certificate.findFirst({ orderBy: { registeredAt: 'asc' } });
    const ageDays = (startedAt.getTime() - (first?.registeredAt.getTime() ?? 0)) / 86_400_000;
    expect(Math.round(ageDays)).toBeGreaterThanOrEqual(PAST_DAYS - 1);
  });

  it('has flags of both types, amendments, a long history and cancellations', async () => {
    const types = await db.flag.groupBy({ by: ['type'], _count: true });
    expect(types.map(({ type }) => type).sort()).toEqual([
      'IDENTIFIER_CONFLICT',
      'VEHICLE_MISMATCH',
    ]);
    expect(Math.min(...types.map(({ _count }) => _count))).toBeGreaterThan(10);
    const statuses = await db.flag.groupBy({ by: ['status'] });
    expect(statuses.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['OPEN', 'CLEARED', 'REFERRED_TO_INSURER']),
    );
    expect(await db.amendment.count()).toBeGreaterThan(40);
    expect(await db.cancellation.count()).toBeGreaterThan(10);
    const versions = await db.certificate.aggregate({ _max: { currentVersion: true } });
    expect(versions._max.currentVersion).toBeGreaterThanOrEqual(4);
    const changes = await db.transmission.findMany({
      where: { kind: { in: ['AMEND', 'CANCEL'] }, status: 'REJECTED' },
    });
    expect(changes).toEqual([]);
  });

  it('has counts of hours that agree with the transmissions, and a sample for every minute', async () => {
    const counted = await db.transmissionCount.aggregate({ _sum: { count: true } });
    const hours = await db.countedHour.aggregate({ _max: { hour: true } });
    const countedUntil = new Date((hours._max.hour?.getTime() ?? 0) + 3_600_000);
    expect(startedAt.getTime() - countedUntil.getTime()).toBeLessThan(3_600_000 + 5 * 60_000);
    expect(counted._sum.count).toBe(
      await db.transmission.count({ where: { receivedAt: { lt: countedUntil } } }),
    );
    expect(await db.queueSample.count()).toBeGreaterThan(PAST_DAYS * 24 * 60);
    const samples = await db.queueSample.aggregate({ _max: { depth: true } });
    expect(samples._max.depth).toBeGreaterThan(100);
  });

  it('has transmissions that were parked for three reasons', async () => {
    await db.$executeRaw`UPDATE transmissions SET sweep_at = now() WHERE parked_at IS NULL AND status = 'VALIDATING'`;
    await sweep(db, { claimedMax: 10, waitingMax: 10 });
    const { groups, total } = await groupParked(db, {});
    expect(groups.map(({ lastError, count }) => [lastError, count])).toEqual([
      ['SQLSTATE 53100: Error: could not extend file: No space left on device', 7],
      ['SQLSTATE 57014: Error: canceling statement due to statement timeout', 4],
      ['its workers ended without a result, 25 times', 2],
    ]);
    expect(total).toBe(await db.transmission.count({ where: { status: 'VALIDATING' } }));
  });

  it('has imports with errors, which left the reference data as it was', async () => {
    const imports = await db.referenceImport.findMany({ orderBy: { sequence: 'asc' } });
    expect(imports.map(({ status, errorCount }) => [status, errorCount > 3])).toEqual([
      ['REFUSED', true],
      ['PARTLY_COMPLETED', true],
    ]);
    expect(await db.referenceRegion.findMany({ select: { region: true } })).toEqual([
      { region: 'NCR' },
    ]);
    expect(await db.referenceVehicle.count()).toBe(100);
  });

  it('is written once', async () => {
    const before = await db.transmission.count();
    expect(await write(database)).toBeUndefined();
    expect(await db.transmission.count()).toBe(before);
    expect(begun).toBe(1);
  });

  it('is not written to a registry without the demonstration data', async () => {
    const other = await makeTestDatabase();
    try {
      expect(await write(other)).toBeUndefined();
      expect(begun).toBe(1);
    } finally {
      await other.drop();
    }
  });
});
