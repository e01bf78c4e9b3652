import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { workersOfMachine } from '../../ops/launch/workers-of-machine.ts';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import type { BenchOptions } from './bench.ts';
import type { InTurnOptions } from './in-turn.ts';
import { SIZES, type Size } from './load/certificates.ts';
import type { OwnWorkOptions, OwnWorkRole } from './own-work/own-work.ts';
import { SHAPES } from './processes.ts';
import type { Summary } from './report/summary.ts';

const RESULTS = join(findProjectRoot(), 'test', 'bench', 'results');

const WORKERS = [
  '--workers <count>',
  'worker processes of the registry',
  wholeNumber,
  workersOfMachine(),
] as const;

const VEHICLES = [
  '--vehicles <count>',
  `of a certificate: ${SIZES.join(' or ')}`,
  sizeOf,
  500,
] as const;

const program = new Command('bench')
  // Options of the same name mean that of the command behind which they stand.
  .enablePositionalOptions()
  .description('measures the registry beside what it could be compared with, in one run')
  .option('--quick', 'some minutes: shows that every cell works, its figures mean little', false)
  .option(
    '--only <cell...>',
    'cells of these names, or whose names begin so, such as limit-redis/1 or registry',
  )
  .option('--rounds <count>', 'rounds that must count', wholeNumber)
  .option(
    '--minutes <count>',
    'repeats rounds until enough count, and begins none that would end later',
    Number,
  )
  .option(...WORKERS)
  .option('--scale <factor>', 'multiplies the work of a round', Number)
  .option('--turns <count>', 'in which each cell does its work of a round', wholeNumber)
  .option('--label <text>', 'ends the name of the folder of the results', 'measured')
  .option(
    '--out <folder>',
    'where results are written, instead of a folder named by date and label; without it `--quick` writes none',
  )
  .option('--no-build', 'uses the build that is there')
  .option('--profile <folder>', 'writes a CPU profile of every process of the registry')
  .option('--planning', 'counts the time of planning statements too, which costs some', false)
  .action(async (options: BenchOptions & { readonly label: string }) => {
    const folder = `${new Date().toISOString().slice(0, 10)}-${options.label}`;
    const out = options.out ?? (options.quick ? undefined : join(RESULTS, folder));
    const { runBench } = await import('./bench.ts');
    process.exitCode = await runBench({ ...options, out });
  });

program
  .command('serve', { hidden: true })
  .description('runs one of the peers, for the benchmark itself')
  .argument('<peer>')
  .action(async (peer: string) => {
    const { servePeer } = await import('./peers/serve.ts');
    await servePeer(peer);
  });

program
  .command('own-work')
  .description('CPU of API and worker for a certificate without a database, of builds in turn')
  .argument('<folders...>', 'as of in-turn')
  .option(...VEHICLES)
  .option('--rounds <count>', 'rounds that count', wholeNumber, 200)
  .action(async (folders: string[], options: OwnWorkOptions) => {
    const { runOwnWork } = await import('./own-work/own-work.ts');
    process.exitCode = await runOwnWork(folders, options);
  });

program
  .command('own-work-of', { hidden: true })
  .description('a process of it, for the benchmark itself')
  .argument('<folder>')
  .argument('<role>')
  .option(...VEHICLES)
  .action(async (folder: string, role: OwnWorkRole, { vehicles }: OwnWorkOptions) => {
    const { performOwnWork } = await import('./own-work/perform.ts');
    await performOwnWork(folder, role, vehicles);
  });

program
  .command('in-turn')
  .description(
    'several builds in short rounds, for differences that are smaller than the drift of the machine',
  )
  .argument(
    '<folders...>',
    'what was built (npm run build && mv dist <folder>), the first to compare with',
  )
  .addOption(new Option('--shape <name>').choices(SHAPES).default('redis'))
  .option(...VEHICLES)
  .option('--small', 'a small insurer beside a dump instead of registrations', false)
  .addOption(
    new Option(
      '--organizations <count...>',
      'workers that drain backlogs of so many instead; of several counts one beside the other',
    )
      .argParser((text: string, before?: number[]) => [...(before ?? []), wholeNumber(text)])
      .conflicts('small'),
  )
  .option('--rounds <count>', 'rounds that count', wholeNumber, 14)
  .option(...WORKERS)
  .action(async (folders: string[], options: InTurnOptions) => {
    const { runInTurn } = await import('./in-turn.ts');
    process.exitCode = await runInTurn(folders, options);
  });

program
  .command('together')
  .description('the ratios of rates and CPU over the rounds of several runs')
  .argument('<results...>', 'results.json of each')
  .action(async (paths: string[]) => {
    const { readTogether } = await import('./report/together.ts');
    const { ratiosToText } = await import('./report/markdown.ts');
    process.stdout.write(`${ratiosToText(readTogether(paths.map(readResults)))}\n`);
  });

program
  .command('simulate')
  .description('what multiples of a measured rate need, and how long a registration then takes')
  .argument('<results>', 'a results.json')
  .option('--cell <name>', 'whose CPU is taken', 'registry-redis/1')
  .option('--load <share>', 'how busy the servers are to be', Number, 0.7)
  .option('--seed <number>', 'for the same run again', wholeNumber, 1)
  .action(async (path: string, options: { cell: string; load: number; seed: number }) => {
    const { describeGrowth, simulateGrowth } = await import('./simulate.ts');
    const table = describeGrowth(simulateGrowth(readResults(path), options));
    process.stdout.write(`seed ${options.seed}\n\n${table}\n`);
  });

await program.parseAsync();

function readResults(path: string): Summary {
  return JSON.parse(readFileSync(path, 'utf8')) as Summary;
}

function sizeOf(text: string): Size {
  const size = SIZES.find((one) => String(one) === text);
  if (size === undefined) throw new InvalidArgumentError(`${SIZES.join(' or ')} is needed`);
  return size;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('a whole number from 1 on is needed');
  return value;
}
