import type { Shape } from '../env/shape.ts';
import type { Bench, Scenario, Subject } from './bench.ts';
import type { Measurement } from './report/measurement.ts';
import { batch } from './scenarios/batch.ts';
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
  batch,
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

/** Both builds of a shape stand side by side, so that they are measured in alternation. */
export function subjectsOf(builds: readonly Build[], shapes: readonly Shape[]): readonly Subject[] {
  return shapes.flatMap((shape) =>
    builds.map((build) => ({ name: `${shape} ${build.name}`.trim(), build, shape })),
  );
}

export async function runScenarios(options: RunOptions): Promise<Measurement[]> {
  const { scenarios, builds, shapes, rounds, scale, onProgress } = options;
  const [build] = builds;
  if (build === undefined) throw new Error('there is no build to measure');
  const servers = await startServers();
  try {
    const templates = new Map<Build, Awaited<ReturnType<typeof makeDatabase>>>();
    for (const [index, build] of builds.entries())
      templates.set(build, await makeDatabase(servers, build, `bench_template_${index}`));
    const subjects = subjectsOf(builds, shapes);
    const measurements: Measurement[] = [];
    const record = (measurement: Measurement) => {
      measurements.push(measurement);
      const { scenario, subject, round } = measurement;
      onProgress(`${scenario}, ${subject}, round ${round}`);
    };
    const bench: Bench = { servers, scale, rounds, build, subjects, templates, record };
    for (const name of scenarios)
      await SCENARIOS[name](bench).catch((error: unknown) => record(failureOf(name, error)));
    return measurements;
  } finally {
    await servers.stop();
  }
}

/** A scenario that broke off makes the run fail, but not the scenarios after it. */
function failureOf(scenario: string, error: unknown): Measurement {
  const faults = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  return { scenario, subject: 'broken off', round: 0, figures: {}, faults };
}
