import { type Bench, type Scenario, type Subject, withRegistry } from '../bench.ts';
import { makeCertificate, toBytes } from '../load/certificates.ts';
import { makeTransmit, requireRegistered, WAIT } from '../load/client.ts';
import { type Load, startLoad } from '../load/load.ts';
import { MANY_TENANTS, ONE_TENANT } from '../report/measurement.ts';
import { type Registry, TENANTS } from '../system/build.ts';
import { measureWindow, type Watched } from '../system/usage.ts';

const WARM_UP_MS = 8_000;
const SWITCH_MS = 500;
const MEASURE_MS = 8_000;

/**
 * Whether sharing between tenants costs throughput: the same number of clients belongs to one tenant or to forty. All rounds run
 * one after the other in the same processes, so that they also show whether a worker's memory stays flat.
 */
export const tenants: Scenario = async (bench) => {
  for (const subject of bench.subjects)
    await withRegistry(bench, subject, (registry) => measureTenants(bench, subject, registry));
};

async function measureTenants(
  bench: Bench,
  subject: Subject,
  { url, watched, database }: Registry,
): Promise<void> {
  const clients = await Promise.all(
    database.tenants.map(async (tenant) => ({ tenant, transmit: await makeTransmit(url, tenant) })),
  );
  const load = (tenantCount: number) =>
    startLoad(TENANTS, async (lane) => {
      const client = clients[lane % tenantCount];
      if (client === undefined) throw new Error('a tenant is missing');
      const body = toBytes(makeCertificate(client.tenant.organizationCode, 1));
      requireRegistered(await client.transmit(body, WAIT));
    });
  const warmUp = load(TENANTS);
  await warmUp.during(WARM_UP_MS * bench.scale);
  await warmUp.stop();

  for (let round = 1; round <= bench.rounds; round += 1) {
    // In both orders: whatever runs second finds warmer processes and a larger registry.
    const counts = round % 2 === 1 ? [1, TENANTS] : [TENANTS, 1];
    for (const count of counts) {
      const figures = await measureOne(load(count), watched, bench.scale);
      const scenario = count === 1 ? ONE_TENANT : MANY_TENANTS;
      bench.record({ scenario, subject: subject.name, round, figures, faults: [] });
    }
  }
}

async function measureOne(load: Load, watched: readonly Watched[], scale: number) {
  await load.during(SWITCH_MS * scale);
  const figures = await measureWindow(load, watched, MEASURE_MS * scale);
  await load.stop();
  return figures;
}
