import { type Bench, type Scenario, withRegistry } from '../bench.ts';
import { makeCertificate, makeStock, SIZES, type Size, toBytes } from '../load/certificates.ts';
import { makeTransmit, requireRegistered, WAIT } from '../load/client.ts';
import { startLoad } from '../load/load.ts';
import { registrationOf } from '../report/measurement.ts';
import { countRegistered, type Registry, tenantOf } from '../system/build.ts';
import { measureWindow } from '../system/usage.ts';
import { measureNaive } from './naive.ts';
import { measureSqlLimit } from './sql-limit.ts';

interface LoadOfSize {
  /** Clients at a time, each of which waits for its certificate's terminal status. */
  readonly lanes: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** Certificates made ahead. */
  readonly stock: number;
}

const LOADS: Readonly<Record<Size, LoadOfSize>> = {
  1: { lanes: 200, warmUpMs: 8_000, measureMs: 8_000, stock: 8_000 },
  500: { lanes: 16, warmUpMs: 8_000, measureMs: 12_000, stock: 300 },
};

/** Certificates registered per second: the SQL alone, the naive peer, and the registry. */
export const registration: Scenario = async (bench) => {
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const size of SIZES) {
      await measureSqlLimit(bench, round, size);
      await measureNaive(bench, round, size);
    }
    for (const subject of bench.subjects)
      await withRegistry(bench, subject, async (registry) => {
        for (const size of SIZES) {
          const measured = await measureRegistry(bench, registry, size);
          const scenario = registrationOf(size);
          bench.record({ scenario, subject: subject.name, round, ...measured });
        }
      });
  }
};

/** From the signed request to the terminal status, under a load that lasts. */
async function measureRegistry({ scale }: Bench, registry: Registry, size: Size) {
  const { lanes, warmUpMs, measureMs, stock } = LOADS[size];
  const { database, url, watched } = registry;
  const tenant = tenantOf(database, 0);
  const transmit = await makeTransmit(url, tenant);
  const nextBody = makeStock(Math.ceil(stock * scale), () =>
    toBytes(makeCertificate(tenant.organizationCode, size)),
  );
  const before = await countRegistered(database.url);
  const load = startLoad(lanes, async () => requireRegistered(await transmit(nextBody(), WAIT)));
  await load.during(warmUpMs * scale);
  const figures = await measureWindow(load, watched, measureMs * scale);
  await load.stop();
  const registered = (await countRegistered(database.url)) - before;
  const faults =
    registered === load.done() ? [] : [`${load.done()} accepted, ${registered} registered`];
  return { figures, faults };
}
