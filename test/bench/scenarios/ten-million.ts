import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays } from '../../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today } from '../../env/api/bodies.ts';
import { COVERED_DAYS_MAX, fillRegistry } from '../../env/records/synthetic-registry.ts';
import type { Bench, Scenario } from '../bench.ts';
import { makeCertificate, toBytes } from '../load/certificates.ts';
import { makeTransmit, requireRegistered, WAIT } from '../load/client.ts';
import { startLoad } from '../load/load.ts';
import { TEN_MILLION, TEN_THOUSAND } from '../report/measurement.ts';
import {
  type BenchDatabase,
  type Build,
  makeDatabase,
  type Registry,
  startRegistry,
  tenantOf,
} from '../system/build.ts';
import { type Servers, startServers } from '../system/servers.ts';
import { measureWindow } from '../system/usage.ts';

const SMALL = 10_000;
const LARGE = 10_000_000;
/** A smoke test fills a smaller registry. */
const LARGE_MIN = 100_000;
const VEHICLES_PER_CERTIFICATE = 4;

/** Rows of the bulk load are written once instead of twice, and a registry at rest stays as it was loaded. */
const BULK_SETTINGS = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  autovacuum: 'off',
};

const LANES = 40;
const WARM_UP_MS = 10_000;
const MEASURE_MS = 8_000;
/** Requests signed in the second in which the nonce store changes are refused (D19). */
const NONCE_EPOCH_MS = 1_100;

/** The CPU for a certificate in a registry of ten million vehicles and in one of ten thousand. */
export const tenMillion: Scenario = async (bench) => {
  const servers = await startServers(BULK_SETTINGS);
  try {
    const builds = [...new Set(bench.subjects.map(({ build }) => build))];
    const registries = await fillAll(servers, builds, Math.max(LARGE_MIN, LARGE * bench.scale));
    for (let round = 1; round <= bench.rounds; round += 1) {
      for (const { name: subject, build, shape } of bench.subjects) {
        for (const registry of registries.filter((one) => one.build === build)) {
          const running = await startRegistry(servers, build, shape, registry.database);
          try {
            await sleep(NONCE_EPOCH_MS);
            const figures = await measureRegistered(bench, registry, running);
            const { scenario } = registry;
            bench.record({ scenario, subject, round, figures, faults: [] });
          } finally {
            await running.stop();
          }
        }
      }
    }
  } finally {
    await servers.stop();
  }
};

interface FilledRegistry {
  readonly scenario: string;
  readonly build: Build;
  readonly vehicles: number;
  readonly database: BenchDatabase;
  /** Renewals sent so far. */
  renewals: number;
}

async function fillAll(
  servers: Servers,
  builds: readonly Build[],
  large: number,
): Promise<FilledRegistry[]> {
  const registries: FilledRegistry[] = [];
  for (const build of builds) {
    for (const [scenario, vehicles] of [
      [TEN_THOUSAND, SMALL],
      [TEN_MILLION, large],
    ] as const) {
      const name = `bench_filled_${registries.length}`;
      const database = await makeDatabase(servers, build, name);
      const size = {
        vehicles,
        vehiclesPerCertificate: VEHICLES_PER_CERTIFICATE,
        periods: 1,
        fleetCertificates: vehicles / 100,
        today: today(),
      } as const;
      await fillRegistry(database.url, size, { id: randomUUID(), sealed: Buffer.alloc(1) });
      registries.push({ scenario, build, vehicles, database, renewals: 0 });
    }
  }
  return registries;
}

/** One certificate in four renews the cover of a vehicle of the filled registry, anywhere in it. */
async function measureRegistered(
  { scale }: Bench,
  registry: FilledRegistry,
  { url, watched }: Registry,
) {
  const tenant = tenantOf(registry.database, 0);
  const transmit = await makeTransmit(url, tenant);
  let sent = 0;
  const load = startLoad(LANES, async () => {
    sent += 1;
    const body =
      sent % 4 === 0
        ? makeRenewal(registry, tenant.organizationCode)
        : makeCertificate(tenant.organizationCode, 1);
    requireRegistered(await transmit(toBytes(body), WAIT));
  });
  await load.during(WARM_UP_MS * scale);
  const figures = await measureWindow(load, watched, MEASURE_MS * scale);
  await load.stop();
  return figures;
}

const RENEWED_DAYS = 366;
/** Identifiers of lower numbers are too short. */
const FIRST_RENEWED = 1_000;
/** Coprime to the number of vehicles: renewals go all over the registry before one vehicle comes again, a year later. */
const STEP = 7_919;

function makeRenewal(registry: FilledRegistry, issuingInsurerCode: string) {
  const number = registry.renewals;
  registry.renewals += 1;
  const renewable = registry.vehicles - FIRST_RENEWED;
  const vehicle = FIRST_RENEWED + ((number * STEP) % renewable);
  const years = Math.floor(number / renewable);
  const effectiveDate = addDays(today(), COVERED_DAYS_MAX + years * RENEWED_DAYS);
  return makeBody({
    issuingInsurerCode,
    certificate: { effectiveDate, expirationDate: addDays(effectiveDate, RENEWED_DAYS - 1) },
    vehicles: [
      makePlainVehicle({
        plateNumber: `P${vehicle}`,
        mvFileNumber: `MF${vehicle}`,
        engineNumber: `EN${vehicle}`,
        chassisNumber: `CH${vehicle}`,
      }),
    ],
  });
}
