import { spawn } from 'node:child_process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import { distribute, MODES, type Mode, PLAN_VARIABLE, type Plan } from './registry/modes.ts';

const SHAPES = ['embedded', 'redis'] as const;
const SEQUENCES_DEFAULT = 20_000;

interface Options {
  readonly sequences: number;
  readonly seed?: number;
  readonly path?: string;
  readonly shape?: (typeof SHAPES)[number];
  readonly mode?: Mode;
}

/** Runs more sequences of the model-based test, or repeats a failing sequence. */
function run({ sequences, seed, path, shape, mode }: Options): void {
  const shapes = shape === undefined ? SHAPES : [shape];
  const modes = mode === undefined ? (Object.keys(MODES) as Mode[]) : [mode];
  const plan: Plan = {
    sequences:
      path === undefined
        ? distribute(sequences, modes, shapes.length)
        : { sequential: 1, concurrent: 1, dryRun: 1 },
    seed: seed ?? Date.now() % 2 ** 31,
    ...(path === undefined ? {} : { path }),
  };
  const files = modes.map((one) => MODES[one].file).join('|');
  const jest = spawn(
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      ...shapes.map((one) => `${one}-long`),
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
  .option('--sequences <number>', 'total number of sequences', wholeNumber, SEQUENCES_DEFAULT)
  .option('--seed <number>', 'seed of an earlier run (default: a new one)', wholeNumber)
  .option('--path <path>', 'repeat only the sequence that a failure printed')
  .addOption(new Option('--shape <shape>', 'run only this shape').choices(SHAPES))
  .addOption(new Option('--mode <mode>', 'run only this mode').choices(Object.keys(MODES)))
  .action(run)
  .parse();
