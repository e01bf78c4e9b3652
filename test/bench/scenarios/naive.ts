import { join } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { type Bench, withDatabase } from '../bench.ts';
import { makeCertificate, makeStock, type Size, toBytes } from '../load/certificates.ts';
import { makeSend, requireRegistered } from '../load/client.ts';
import { startLoad } from '../load/load.ts';
import { NAIVE, registrationOf } from '../report/measurement.ts';
import { tenantOf } from '../system/build.ts';
import { launch } from '../system/launch.ts';
import { measureWindow } from '../system/usage.ts';

/** More clients at a time do not raise its rate: its pool has ten connections. */
const LOADS = {
  1: { lanes: 16, warmUpMs: 5_000, measureMs: 6_000, stock: 2_000 },
  500: { lanes: 4, warmUpMs: 6_000, measureMs: 12_000, stock: 40 },
} as const;

/** Clients wait for each answer of `naive-server.ts`. */
export async function measureNaive(bench: Bench, round: number, size: Size): Promise<void> {
  const { servers, scale, build } = bench;
  const { lanes, warmUpMs, measureMs, stock } = LOADS[size];
  await withDatabase(bench, build, async (database) => {
    const code = tenantOf(database, 0).organizationCode;
    const server = await launch({
      role: 'naive',
      path: join(findProjectRoot(), 'test', 'bench', 'scenarios', 'naive-server.ts'),
      nodeOptions: ['--import', 'tsx'],
      environment: { DATABASE_URL: database.url, INSURER_CODE: code },
    });
    try {
      const send = makeSend(server.url);
      const nextBody = makeStock(Math.ceil(stock * scale), () =>
        toBytes(makeCertificate(code, size)),
      );
      const load = startLoad(lanes, async () =>
        requireRegistered(await send('/policies', nextBody())),
      );
      await load.during(warmUpMs * scale);
      const watched = [...servers.watched, server.watched];
      const figures = await measureWindow(load, watched, measureMs * scale);
      await load.stop();
      const scenario = registrationOf(size);
      bench.record({ scenario, subject: NAIVE, round, figures, faults: [] });
    } finally {
      await server.stop();
    }
  });
}
