import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Shape } from '../env/shape.ts';
import { runFaults } from './run.ts';
import { BOTH } from './scenario.ts';
import { SCENARIOS } from './scenarios/table.ts';

interface Options {
  readonly full: boolean;
  readonly scenario?: readonly string[];
  readonly except: readonly string[];
  readonly shape?: Shape;
  readonly seed?: number;
  readonly minutes: number;
  readonly certificates?: number;
}

const SEEDS = 1_000_000;
const SOAK_MINUTES = 120;
const NAMES = SCENARIOS.map(({ name }) => name);

await new Command('faults')
  .description(
    'injects faults into real processes and servers while clients of the public API check the answers',
  )
  .option('--full', 'run the sizes for a release, which take hours', false)
  .addOption(new Option('--scenario <name...>', 'run only these scenarios').choices(NAMES))
  .addOption(new Option('--except <name...>', 'skip these scenarios').choices(NAMES).default([]))
  .addOption(new Option('--shape <shape>', 'run only this shape').choices([...BOTH]))
  .option('--seed <number>', 'repeat the random choices of an earlier run', wholeNumber)
  .option('--minutes <number>', 'duration of the soak test', wholeNumber, SOAK_MINUTES)
  .option('--certificates <number>', 'size of the load of a round, for each scenario', wholeNumber)
  .action(async (options: Options) => {
    const { full, scenario, except, shape, seed = randomInt(SEEDS) } = options;
    const { minutes, certificates } = options;
    process.stdout.write(`seed ${seed}\n`);
    const { passed, failed } = await runFaults({
      isFull: full,
      scenarios: SCENARIOS.filter(
        ({ name }) => (scenario?.includes(name) ?? true) && !except.includes(name),
      ),
      isNamed: scenario !== undefined,
      shapes: shape === undefined ? BOTH : [shape],
      seed,
      minutes,
      certificates,
    });
    process.stdout.write(`${failed.join('')}${passed} passed, ${failed.length} failed\n`);
    // process.exit, because promises that wait for dead processes could keep the run alive.
    process.exit(failed.length === 0 && passed > 0 ? 0 : 1);
  })
  .parseAsync();

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a whole number');
  return value;
}
