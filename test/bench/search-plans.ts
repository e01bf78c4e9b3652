import { randomBytes, randomUUID } from 'node:crypto';
import type { CoverageStatus } from '../../shared/contract/enums.ts';
import { Prisma } from '../../shared/db/generated/client.ts';
import { type Db, openDb } from '../../shared/db/prisma.ts';
import { readSubmission } from '../../shared/domain/registration/submission.ts';
import { type AskedCriteria, readCriteria } from '../../shared/domain/search-criteria.ts';
import { makeKeyring } from '../../shared/platform/secrets/sealing.ts';
import { findCoverages } from '../../shared/store/registry/coverage.ts';
import { findRecord } from '../../shared/store/registry/records/records.ts';
import { searchRecords } from '../../shared/store/registry/search-records.ts';
import { findVisibleCertificate } from '../../shared/store/registry/visible-certificates.ts';
import { makeBody } from '../env/api/bodies.ts';
import { GROWING_TABLES } from '../env/records/growing-tables.ts';
import { makeRunFolder, removeRunFolder } from '../env/run-folder.ts';
import { makeTestDatabase, startTestPostgres } from '../env/servers/postgres.ts';
import { addUnregistered, readStaffList, staffLists } from './staff-lists.ts';
import { fillRegistry } from './synthetic-registry.ts';

// Shows the plan and time of every statement that reads the registry, at a million vehicles, and fails
// when one of them reads a large table from end to end. `node --import tsx test/bench/search-plans.ts [vehicles]`

const VEHICLES_DEFAULT = 1_000_000;
const FLEET_CERTIFICATES = 5_000;
const NOW = new Date('2026-10-15T02:00:00Z');
const TODAY = '2026-10-15';

interface Explained {
  readonly db: Pick<Db, '$queryRaw'>;
  /** The plans since the last look. */
  plans(): string[];
}

const keyring = makeKeyring([{ id: 'bench', key: randomBytes(32) }]);
const operatorId = randomUUID();

await main(Number(process.argv[2] ?? VEHICLES_DEFAULT));

async function main(vehicles: number): Promise<void> {
  const folder = makeRunFolder();
  const postgres = await startTestPostgres(folder);
  const database = await makeTestDatabase();
  const db = openDb({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'plans' });
  try {
    await fill(database.ownerUrl, vehicles);
    const bad = await explainAll(db, vehicles);
    for (const one of bad) print(`FAILED ${one}`);
    if (bad.length > 0) process.exitCode = 1;
    else print(`\nevery statement is an index look-up at ${vehicles} vehicles`);
  } finally {
    await db.$disconnect();
    await database.drop();
    await postgres.stop();
    removeRunFolder(folder);
  }
}

async function fill(url: string, vehicles: number): Promise<void> {
  const started = performance.now();
  const sealed = keyring.seal(JSON.stringify(readSubmission(makeBody()).operator), operatorId);
  const size = {
    vehicles,
    vehiclesPerCertificate: 2,
    periods: 2,
    fleetCertificates: FLEET_CERTIFICATES,
    today: TODAY,
  } as const;
  await fillRegistry(url, size, { id: operatorId, sealed });
  await addUnregistered(url, Math.ceil(vehicles / 10), NOW);
  print(`${vehicles} vehicles in ${seconds(started)}`);
}

/** What was read from end to end, a line each. */
async function explainAll(db: Db, vehicles: number): Promise<string[]> {
  const explained = explain(db);
  const viewers = await readViewers(db);
  const bad: string[] = [];
  for (const [name, read] of readings(vehicles)) {
    for (const [who, viewer] of viewers) {
      const started = performance.now();
      await read(explained.db, viewer);
      const title = `${name}, ${who}`;
      print(`\n=== ${title} (${seconds(started)} with its explanation)`);
      for (const plan of explained.plans()) {
        print(plan);
        const scanned = [...plan.matchAll(/Seq Scan on (\w+)/g)].flatMap(
          ([, table]) => table ?? [],
        );
        bad.push(
          ...scanned
            .filter((table) => GROWING_TABLES.includes(table))
            .map((table) => `${title}: Seq Scan on ${table}`),
        );
      }
    }
  }
  return bad;
}

type Viewer = Parameters<typeof findVisibleCertificate>[2];
type Reading = readonly [string, (db: Explained['db'], viewer: Viewer) => Promise<unknown>];

function readings(vehicles: number): Reading[] {
  const some = Math.floor(vehicles * 0.7);
  const historical = some - (some % 5);
  const reference = (number: number) => `PPAI-2026-${String(number).padStart(9, '0')}`;
  const search =
    (asked: AskedCriteria, status?: CoverageStatus, page = 1) =>
    (db: Explained['db'], viewer: Viewer) => {
      const criteria = readCriteria(asked);
      if (criteria === undefined) throw new Error('a search needs a criterion');
      return searchRecords(db, keyring, {
        criteria,
        status,
        page,
        pageSize: 25,
        viewer,
        now: NOW,
        today: TODAY,
      });
    };
  const coverage = (identifier: string) => (db: Explained['db'], viewer: Viewer) =>
    findCoverages(db, [{ identifier, asOf: TODAY, pastSince: null, viewer }], NOW);
  return [
    ['search by plate', search({ plateNumber: `P${some}` })],
    ['search by historical plate', search({ plateNumber: `OLD${historical}` })],
    ['search by unknown plate', search({ plateNumber: 'NOBODY1' })],
    [
      'search by four identifiers',
      search({
        plateNumber: `P${some}`,
        mvFileNumber: `MF${some}`,
        engineNumber: `EN${some}`,
        chassisNumber: `CH${some}`,
      }),
    ],
    ['search by policy number', search({ policyNumber: 'POL40000' })],
    ['search by the policy of a fleet', search({ policyNumber: 'POL0' })],
    [
      'search by the policy of a fleet, status, late page',
      search({ policyNumber: 'POL0' }, 'EXPIRED', 50),
    ],
    ['search by COC number', search({ cocNumber: 'COC40000' })],
    [
      'search by everything',
      search(
        { plateNumber: `P${some}`, policyNumber: 'POL40000', cocNumber: 'COC40000' },
        'ACTIVE',
      ),
    ],
    [
      'record by reference',
      (db, viewer) => findRecord(db, keyring, reference(vehicles + 1), viewer, NOW),
    ],
    [
      'record that is there',
      (db, viewer) => ignoreSeals(findRecord(db, keyring, reference(100), viewer, NOW)),
    ],
    ['record to change', (db, viewer) => findVisibleCertificate(db, reference(100), viewer)],
    ['coverage by plate', coverage(`P${some}`)],
    ['coverage by chassis', coverage(`CH${some}`)],
    ['coverage of an unknown vehicle', coverage('NOBODY1')],
    ...staffLists(NOW).map(([name, asked]): Reading => [name, (db) => readStaffList(db, asked)]),
  ];
}

/** The synthetic versions hold nothing that could be opened; the statement has run by then. */
async function ignoreSeals(reading: Promise<unknown>): Promise<void> {
  await reading.catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'SealError') throw error;
  });
}

async function readViewers(db: Db): Promise<(readonly [string, Viewer])[]> {
  const viewerOf = async (code: string, isRegulator: boolean): Promise<Viewer> => {
    const { id } = await db.organization.findUniqueOrThrow({ where: { code } });
    return { organizationId: id, organizationCode: code, isRegulator };
  };
  return [
    ['seen by an insurer', await viewerOf('INS-1', false)],
    ['seen by a pool', await viewerOf('POOL', false)],
    ['seen by the regulator', await viewerOf('INS-2', true)],
  ];
}

/** A connection that explains every statement before it runs it. */
function explain(db: Db): Explained {
  let plans: string[] = [];
  const queryRaw = async (
    strings: TemplateStringsArray,
    ...values: unknown[]
  ): Promise<unknown> => {
    const statement = Prisma.sql(strings, ...values);
    const lines = await db.$queryRaw<
      { 'QUERY PLAN': string }[]
    >`EXPLAIN (ANALYZE, COSTS OFF) ${statement}`;
    plans.push(lines.map((line) => `  ${line['QUERY PLAN']}`).join('\n'));
    return db.$queryRaw(statement);
  };
  return {
    db: { $queryRaw: queryRaw as Db['$queryRaw'] },
    plans: () => {
      const taken = plans;
      plans = [];
      return taken;
    },
  };
}

function seconds(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1_000).toFixed(2)} s`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
