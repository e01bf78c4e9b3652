import { join } from 'node:path';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { type Bench, withDatabase } from '../bench.ts';
import { makeCertificate, makeStock, type Size, toBytes } from '../load/certificates.ts';
import { makeSend, requireRegistered } from '../load/client.ts';
import { startLoad } from '../load/load.ts';
import { type Measurement, NAIVE, registrationOf } from '../report/measurement.ts';
import { launch } from '../system/launch.ts';
import { measureWindow } from '../system/usage.ts';

/** As many clients at a time as its pool has connections, or fewer where a certificate is large. */
const LOADS = {
  1: { lanes: 16, warmUpMs: 5_000, measureMs: 6_000, stock: 2_000 },
  500: { lanes: 4, warmUpMs: 6_000, measureMs: 12_000, stock: 40 },
} as const;

/** The peer of `naive-server.ts`, with the load of a client that waits for each answer. */
export async function measureNaive(bench: Bench, round: number, size: Size): Promise<Measurement> {
  const { servers, scale, subjects } = bench;
  const { lanes, warmUpMs, measureMs, stock } = LOADS[size];
  const [subject] = subjects;
  if (subject === undefined) throw new Error('nothing to measure');
  return withDatabase(bench, subject.build, async ({ url, tenants }) => {
    const code = tenants[0]?.organizationCode ?? '';
    const server = await launch({
      role: 'naive',
      path: join(findProjectRoot(), 'test', 'bench', 'scenarios', 'naive-server.ts'),
      nodeOptions: ['--import', 'tsx'],
      environment: { DATABASE_URL: url, INSURER_CODE: code },
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
      return { scenario, subject: NAIVE, round, figures: { ...figures }, faults: [] };
    } finally {
      await server.stop();
    }
  });
}
