import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from '../../shared/db/with-client.ts';
import { ReadyMessage } from '../../shared/platform/config/supervised.ts';
import {
  WORKER_ALLOCATOR,
  WORKER_NODE_OPTIONS,
} from '../../shared/platform/config/worker-memory.ts';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import type { Watched } from './measure/processes.ts';
import type { BenchDatabase, Servers } from './servers.ts';

const STOP_MS_MAX = 20_000;
const ROOT = findProjectRoot();

export interface RunningProcess {
  readonly watched: Watched;
  /** Where it listens; empty when it does not. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface ProcessSpec {
  readonly role: string;
  readonly path: string;
  readonly args?: readonly string[];
  readonly execArgv?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Resolves when the process says that it serves. Its lines are dropped, but written: logging is part of the work. */
export async function launch(spec: ProcessSpec): Promise<RunningProcess> {
  const child = fork(spec.path, [...(spec.args ?? [])], {
    execArgv: [...(spec.execArgv ?? [])],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      SUPERVISED: '1',
      DRAIN_SECONDS: '0',
      ...spec.environment,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = await readiness(child, spec.role);
  return {
    url,
    watched: { role: spec.role, pid: child.pid ?? 0, withChildren: false },
    stop: () => end(child),
  };
}

function readiness(child: ChildProcess, role: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`${role} ended before it was ready (${signal ?? code})`)),
    );
    child.on('message', (message) => {
      const parsed = ReadyMessage.safeParse(message);
      if (parsed.success) resolve(parsed.data.ready.url ?? '');
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  // One that stands still hears nothing.
  child.kill('SIGCONT');
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await ended;
  clearTimeout(killer);
}

/** How the registry's own processes are run: as built, or from the sources. */
export interface Build {
  readonly isBuilt: boolean;
  path(module: string): string;
  readonly execArgv: readonly string[];
}

/** Builds when that works; else the sources are run, which differs in memory and start, not in steady state. */
export function makeBuild({ builds }: { builds: boolean }): Build {
  const built =
    !builds || spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT }).status === 0;
  return (built ? buildIn('dist') : undefined) ?? SOURCES;
}

const SOURCES: Build = {
  isBuilt: false,
  path: (module) => join(ROOT, `${module}.ts`),
  execArgv: ['--import', 'tsx'],
};

/** What was built into a folder of the project; undefined when nothing was. */
export function buildIn(folder: string): Build | undefined {
  const path = (module: string) => join(ROOT, folder, `${module}.js`);
  return existsSync(path('api/main')) ? { isBuilt: true, path, execArgv: [] } : undefined;
}

export const SHAPES = ['embedded', 'redis'] as const;
export type Shape = (typeof SHAPES)[number];

/** The registry as `npm start` runs it: one API process and its workers. */
export interface Registry {
  readonly shape: Shape;
  readonly database: BenchDatabase;
  /** Of the API; empty without one. */
  readonly url: string;
  readonly watched: readonly Watched[];
  stop(): Promise<void>;
}

export interface RegistryOptions {
  readonly shape: Shape;
  readonly build: Build;
  readonly servers: Servers;
  readonly database: BenchDatabase;
  readonly workers: number;
  /** False leaves out the API. */
  readonly withApi?: boolean;
  /** Variables besides those of servers and database. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Folder for a CPU profile of every process; nothing is profiled without. */
  readonly profileFolder?: string | undefined;
}

export async function startRegistry(options: RegistryOptions): Promise<Registry> {
  const { shape, build, servers, database, workers, withApi = true, profileFolder } = options;
  const environment = { ...environmentOf(shape, servers, database), ...options.environment };
  const profile =
    profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const execArgv = [...build.execArgv, ...profile];
  const api = { role: 'api', path: build.path('api/main'), execArgv, environment };
  const worker = {
    role: 'worker',
    path: build.path('worker/main'),
    execArgv: [...execArgv, ...WORKER_NODE_OPTIONS],
    environment: { ...WORKER_ALLOCATOR, ...environment },
  };
  const starts = await Promise.allSettled([
    ...(withApi ? [launch(api)] : []),
    ...Array.from({ length: workers }, () => launch(worker)),
  ]);
  const running = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async () => void (await Promise.all(running.map((one) => one.stop())));
  const failed = starts.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    shape,
    database,
    url: running.map(({ url }) => url).find((url) => url !== '') ?? '',
    watched: running.map(({ watched }) => watched),
    stop,
  };
}

const STILL_TRIES = 100;
const STILL_LOOK_MS = 5;

/**
 * Stops the processes where they are, so that another's have the machine for themselves, between two transactions if that can be had: the
 * server ends one that nobody goes on with.
 */
export async function standStill({ watched, database }: Registry): Promise<void> {
  await withClient(database.url, 'bench-still', async (client) => {
    for (let tries = 1; ; tries += 1) {
      for (const { pid } of watched) process.kill(pid, 'SIGSTOP');
      const states = await statesOnceStill(client);
      if (tries === STILL_TRIES || !states.includes('idle in transaction')) return;
      for (const { pid } of watched) process.kill(pid, 'SIGCONT');
      await sleep(STILL_LOOK_MS);
    }
  });
}

export function goOn({ watched }: Registry): void {
  for (const { pid } of watched) process.kill(pid, 'SIGCONT');
}

/** Of the connections, when none is at work any more: what was sent before is still done. */
async function statesOnceStill(client: Client): Promise<string[]> {
  for (let looks = 1; ; looks += 1) {
    const { rows } = await client.query<{ state: string }>(
      `SELECT state FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    );
    const states = rows.map(({ state }) => state);
    if (looks === STILL_TRIES || !states.includes('active')) return states;
    await sleep(STILL_LOOK_MS);
  }
}

export function environmentOf(
  shape: Shape,
  { redisUrl }: Pick<Servers, 'redisUrl'>,
  { environment, name }: BenchDatabase,
): NodeJS.ProcessEnv {
  return shape === 'embedded'
    ? environment
    : { ...environment, REDIS_URL: redisUrl, REDIS_PREFIX: name };
}

/** A peer, from the sources of the bench itself. */
export function startPeer(name: string, environment: NodeJS.ProcessEnv): Promise<RunningProcess> {
  return launch({
    role: 'peer',
    path: join(ROOT, 'test', 'bench', 'main.ts'),
    args: ['serve', name],
    execArgv: ['--import', 'tsx'],
    environment,
  });
}
