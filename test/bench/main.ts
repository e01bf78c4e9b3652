import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { WORKER_NODE_OPTIONS } from '../../shared/platform/config/worker-memory.ts';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import type { Shape } from '../env/shape.ts';
import { judgeGoals } from './report/ratios.ts';
import { toText } from './report/table.ts';
import { runScenarios, SCENARIOS, type ScenarioName, subjectsOf } from './run.ts';
import { type Build, findBuild } from './system/build.ts';
import { stopServers } from './system/servers.ts';

interface Options {
  readonly only?: readonly ScenarioName[];
  readonly shape?: Shape;
  readonly tenMillion: boolean;
  readonly against?: string;
  readonly againstWorkerOptions: string;
  readonly rounds: number;
  readonly scale: number;
  readonly build: boolean;
  readonly out?: string;
}

const ROOT = findProjectRoot();
const SHAPES = ['embedded', 'redis'] as const;
const NAMES = Object.keys(SCENARIOS) as ScenarioName[];

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);

await new Command('bench')
  .description('compares the registry with the least SQL that does its work and with a naive peer')
  .addOption(new Option('--only <scenario...>', 'only these').choices(NAMES))
  .addOption(new Option('--shape <shape>', 'only this one').choices([...SHAPES]))
  .option('--ten-million', 'also the CPU in a registry of ten million vehicles', false)
  .option('--against <folder>', 'an older build, in alternation (docs/benchmark.md)')
  .option(
    '--against-worker-options <text>',
    "options of its workers' node",
    WORKER_NODE_OPTIONS.join(' '),
  )
  .option('--rounds <count>', 'of which the median counts', positive, 3)
  .option('--scale <factor>', 'multiplies all times; 0.1 is a smoke test', positive, 1)
  .option('--no-build', 'uses the build in dist/ as it is')
  .option('--out <file>', 'also writes measurements and results as JSON')
  .action(async (options: Options) => {
    process.exitCode = await bench(options);
  })
  .parseAsync();

/** Returns 1 when a goal was missed or a result was wrong. */
async function bench(options: Options): Promise<number> {
  const { only, shape, rounds, scale, out } = options;
  if (options.build)
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' });
  const builds = buildsOf(options);
  const shapes = shape === undefined ? SHAPES : [shape];
  const scenarios = only ?? NAMES.filter((name) => name !== 'ten-million' || options.tenMillion);
  const onProgress = (line: string) => void process.stderr.write(`${line}\n`);
  const measurements = await runScenarios({ scenarios, shapes, builds, rounds, scale, onProgress });
  const subjects = subjectsOf(builds, shapes).map(({ name }) => name);
  const results = judgeGoals(measurements, subjects);
  process.stdout.write(toText(measurements, results));
  if (out !== undefined) writeFileSync(out, JSON.stringify({ measurements, results }, null, 2));
  const isWrong = measurements.some(({ faults }) => faults.length > 0);
  return isWrong || results.some(({ passed }) => !passed) ? 1 : 0;
}

function buildsOf({ against, againstWorkerOptions }: Options): Build[] {
  const own = { name: '', folder: join(ROOT, 'dist'), workerOptions: WORKER_NODE_OPTIONS } as const;
  if (against === undefined) return [findBuild(own)];
  const workerOptions = againstWorkerOptions.split(' ');
  return [findBuild(own), findBuild({ name: 'before', folder: against, workerOptions })];
}

/** PostgreSQL runs on its own and would stay. What is being measured loses its connections meanwhile. */
function interrupt(): void {
  process.on('uncaughtException', () => undefined);
  void stopServers().finally(() => process.exit(130));
}

function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is needed');
  return value;
}
