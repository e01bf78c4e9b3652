import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  WORKER_ALLOCATOR,
  WORKER_NODE_OPTIONS,
} from '../../../shared/platform/config/worker-memory.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import type { Size } from '../load/certificates.ts';
import { buildIn } from '../processes.ts';
import { describeOwnWork, type OwnWorkOfRole } from '../report/paired.ts';

export interface OwnWorkOptions {
  readonly vehicles: Size;
  readonly rounds: number;
}

/** What a process of a build is asked for, and answers. */
export interface OwnWorkAsked {
  readonly batches: number;
}
export interface OwnWorkDone {
  /** Of CPU, by all threads, for a certificate. */
  readonly microseconds: number;
}

const ROLES = ['api', 'worker'] as const;
export type OwnWorkRole = (typeof ROLES)[number];

const MAIN = join(findProjectRoot(), 'test', 'bench', 'main.ts');
/** Enough that nothing is compiled any more. */
const BATCHES_BEFORE = 100;

/**
 * What an API process takes of CPU to read a certificate and a worker to decide it and to write its statements, with nothing
 * else at work: no database, no network. Builds take turns batch by batch, forwards and backwards, on one and the same core where
 * the system can bind them to it: what the machine is slower or faster in by the second falls out, and some hundredths show that
 * disappear beside a database. Returns the exit code: 1 when a build is missing.
 */
export async function runOwnWork(
  folders: readonly string[],
  { vehicles, rounds }: OwnWorkOptions,
): Promise<number> {
  const missing = folders.filter((folder) => buildIn(folder) === undefined);
  for (const folder of missing)
    process.stderr.write(`nothing is built in ${folder}: npm run build && mv dist ${folder}\n`);
  if (missing.length > 0) return 1;
  const measured: OwnWorkOfRole[] = [];
  for (const role of ROLES) {
    measured.push({ role, builds: await measureRole(folders, role, vehicles, rounds) });
  }
  process.stdout.write(`${describeOwnWork(folders, measured)}\n`);
  return 0;
}

/** By build, a figure a round. */
async function measureRole(
  folders: readonly string[],
  role: OwnWorkRole,
  vehicles: Size,
  rounds: number,
): Promise<number[][]> {
  const processes = folders.map((folder) => start(folder, role, vehicles));
  try {
    await askEach(processes, BATCHES_BEFORE);
    const figures = folders.map((): number[] => []);
    for (let round = 0; round < rounds; round += 1) {
      const forwards = await askEach(processes, 1);
      const backwards = (await askEach(processes.toReversed(), 1)).toReversed();
      for (const [build, values] of figures.entries())
        values.push(((forwards[build] ?? 0) + (backwards[build] ?? 0)) / 2);
    }
    return figures;
  } finally {
    for (const one of processes) if (one.connected) one.disconnect();
  }
}

function start(folder: string, role: OwnWorkRole, vehicles: Size): ChildProcess {
  const isWorker = role === 'worker';
  const nodeOptions = [...(isWorker ? WORKER_NODE_OPTIONS : []), '--import', 'tsx'];
  const toOneCore = ['--cpu-list', '0'];
  const isBound = spawnSync('taskset', [...toOneCore, 'true']).status === 0;
  return fork(MAIN, ['own-work-of', folder, role, '--vehicles', String(vehicles)], {
    ...(isBound ? { execPath: 'taskset' } : {}),
    execArgv: isBound ? [...toOneCore, process.execPath, ...nodeOptions] : nodeOptions,
    env: { ...process.env, ...(isWorker ? WORKER_ALLOCATOR : {}) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** One after the other: microseconds for a certificate of each. */
async function askEach(processes: readonly ChildProcess[], batches: number): Promise<number[]> {
  const answers: number[] = [];
  for (const one of processes) answers.push((await ask(one, { batches })).microseconds);
  return answers;
}

function ask(one: ChildProcess, asked: OwnWorkAsked): Promise<OwnWorkDone> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a process ended before it had answered'));
    one.once('exit', ended);
    one.once('message', (done) => {
      one.off('exit', ended);
      resolve(done as OwnWorkDone);
    });
    one.send(asked);
  });
}
