import { spawn } from 'node:child_process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { PLAN_VARIABLE, type Plan, shareOut, WAYS, type Way } from './registry/ways.ts';

const SHAPES = ['embedded', 'redis'] as const;
const SEQUENCES_DEFAULT = 20_000;

interface Options {
  readonly sequences: number;
  readonly seed?: number;
  readonly path?: string;
  readonly shape?: (typeof SHAPES)[number];
  readonly way?: Way;
}

/** The longer run of the model-based test, and the second look at a failing sequence. */
function run({ sequences, seed, path, shape, way }: Options): void {
  const shapes = shape === undefined ? SHAPES : [shape];
  const ways = way === undefined ? (Object.keys(WAYS) as Way[]) : [way];
  const plan: Plan = {
    sequences:
      path === undefined
        ? shareOut(sequences, ways, shapes.length)
        : { sequential: 1, simultaneous: 1 },
    seed: seed ?? Date.now() % 2 ** 31,
    ...(path === undefined ? {} : { path }),
  };
  const files = ways.map((one) => WAYS[one].file).join('|');
  const jest = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      ...shapes,
      '--testPathPatterns',
      `test/model/(${files})`,
    ],
    {
      cwd: findProjectRoot(),
      stdio: 'inherit',
      env: { ...process.env, [PLAN_VARIABLE]: JSON.stringify(plan) },
    },
  );
  jest.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

new Command('model')
  .description('Random sequences of requests against a model of the rules.')
  .option('--sequences <number>', 'in all', wholeNumber, SEQUENCES_DEFAULT)
  .option('--seed <number>', 'that of an earlier run; a new one by default', wholeNumber)
  .option('--path <path>', 'plays the one sequence of a seed that a failure named')
  .addOption(new Option('--shape <shape>', 'one shape only').choices(SHAPES))
  .addOption(new Option('--way <way>', 'one way only').choices(Object.keys(WAYS)))
  .action(run)
  .parse();
