import type { Shape } from '../env/shape.ts';
import type { Bench, Scenario, Subject } from './bench.ts';
import type { Measurement } from './report/measurement.ts';
import { registration } from './scenarios/registration.ts';
import { smallTenant } from './scenarios/small-tenant.ts';
import { tenMillion } from './scenarios/ten-million.ts';
import { tenants } from './scenarios/tenants.ts';
import { type Build, makeDatabase } from './system/build.ts';
import { startServers } from './system/servers.ts';

export const SCENARIOS = {
  registration,
  'small-tenant': smallTenant,
  tenants,
  'ten-million': tenMillion,
} as const satisfies Record<string, Scenario>;
export type ScenarioName = keyof typeof SCENARIOS;

export interface RunOptions {
  readonly scenarios: readonly ScenarioName[];
  readonly shapes: readonly Shape[];
  /** The program under test first. */
  readonly builds: readonly Build[];
  readonly rounds: number;
  readonly scale: number;
  readonly onProgress: (line: string) => void;
}

/** A build before the redesign has its own columns. Alternates: each shape of one build is followed by that of the other. */
export function subjectsOf(builds: readonly Build[], shapes: readonly Shape[]): readonly Subject[] {
  return shapes.flatMap((shape) =>
    builds.map((build) => ({ name: `${shape} ${build.name}`.trim(), build, shape })),
  );
}

export async function runScenarios(options: RunOptions): Promise<Measurement[]> {
  const { scenarios, builds, shapes, rounds, scale, onProgress } = options;
  const servers = await startServers();
  try {
    const templates = new Map<Build, Awaited<ReturnType<typeof makeDatabase>>>();
    for (const [index, build] of builds.entries())
      templates.set(build, await makeDatabase(servers, build, `bench_template_${index}`));
    const subjects = subjectsOf(builds, shapes);
    const bench: Bench = { servers, scale, rounds, subjects, templates };
    const measurements: Measurement[] = [];
    for (const name of scenarios) {
      const startedMs = performance.now();
      onProgress(`${name} …`);
      measurements.push(...(await SCENARIOS[name](bench)));
      onProgress(`${name}: ${Math.round((performance.now() - startedMs) / 1_000)} s`);
    }
    return measurements;
  } finally {
    await servers.stop();
  }
}
