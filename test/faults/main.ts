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
}

const SEEDS = 1_000_000;
const SOAK_MINUTES = 120;
const NAMES = SCENARIOS.map(({ name }) => name);

await new Command('faults')
  .description('breaks real processes and servers while clients of the public API keep the score')
  .option('--full', 'the sizes of a release: hours, not minutes', false)
  .addOption(new Option('--scenario <name...>', 'only these').choices(NAMES))
  .addOption(new Option('--except <name...>', 'not these').choices(NAMES).default([]))
  .addOption(new Option('--shape <shape>', 'only this one').choices([...BOTH]))
  .option('--seed <number>', 'draws what an earlier run drew', wholeNumber)
  .option('--minutes <number>', 'how long the soak lasts', wholeNumber, SOAK_MINUTES)
  .action(async ({ full, scenario, except, shape, seed = randomInt(SEEDS), minutes }: Options) => {
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
    });
    process.stdout.write(`${failed.join('')}${passed} passed, ${failed.length} failed\n`);
    // Whoever still waits for a process that is gone does not keep the run from its end.
    process.exit(failed.length === 0 && passed > 0 ? 0 : 1);
  })
  .parseAsync();

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a whole number');
  return value;
}
