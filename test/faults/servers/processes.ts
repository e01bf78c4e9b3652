import { spawn } from 'node:child_process';
import { ReadyMessage } from '../../../shared/platform/config/supervised.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { startDatabaseProxy, startRedisProxy, type WatchedProxy } from '../wire/watched-proxy.ts';

export type Role = 'api' | 'worker';

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process of the registry that has its own proxy to each server. */
export interface RegistryProcess {
  readonly role: Role;
  readonly pid: number;
  readonly database: WatchedProxy;
  /** Undefined in the embedded shape. */
  readonly redis: WatchedProxy | undefined;
  readonly isRunning: boolean;
  /** Rejects when the process ends by itself before it is ready. */
  readonly ready: Promise<void>;
  readonly ended: Promise<Ending>;
  signal(name: NodeJS.Signals): void;
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>;
}

export interface ProcessSpec {
  readonly role: Role;
  readonly file: string;
  /** The deviation of its clock. */
  readonly skewSeconds?: number | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly databaseUrl: string;
  readonly databasePort: () => number;
  /** Called for every connection; undefined in the embedded shape. */
  readonly redisPort: (() => number) | undefined;
  readonly outputFd: number;
  /** No server can be reached until its proxy is up. */
  readonly serversDown?: boolean;
  /** The proxy replaces this part of statements to the database. */
  readonly changed?: { readonly part: string; readonly instead: string } | undefined;
}

const SKEWED_CLOCK = new URL('./skewed-clock.js', import.meta.url).href;

export async function launch(spec: ProcessSpec): Promise<RegistryProcess> {
  const { redisPort } = spec;
  const database = await startDatabaseProxy(spec.databasePort);
  if (spec.changed !== undefined) database.change(spec.changed.part, spec.changed.instead);
  const redis = redisPort === undefined ? undefined : await startRedisProxy(redisPort);
  const databaseUrl = new URL(spec.databaseUrl);
  databaseUrl.port = String(database.port);
  if (spec.serversDown === true) {
    await database.down();
    await redis?.down();
  }
  const { skewSeconds = 0 } = spec;
  const preload = skewSeconds === 0 ? [] : ['--import', SKEWED_CLOCK];
  const child = spawn(process.execPath, [...preload, spec.file], {
    cwd: findProjectRoot(),
    env: {
      PATH: process.env['PATH'],
      ...spec.environment,
      SKEW_SECONDS: String(skewSeconds),
      DATABASE_URL: databaseUrl.href,
      ...(redis === undefined ? {} : { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
    },
    stdio: ['ignore', spec.outputFd, spec.outputFd, 'ipc'],
  });
  let isRunning = true;
  const ended = new Promise<Ending>((resolve) => {
    child.on('error', () => resolve({ code: -1, signal: null }));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  }).then(async (ending) => {
    isRunning = false;
    await database.close();
    await redis?.close();
    return ending;
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message) => {
      if (ReadyMessage.safeParse(message).success) resolve();
    });
    void ended.then(({ signal }) => {
      // A worker claims, and may be killed for it, before it is ready.
      if (signal === 'SIGKILL') resolve();
      else reject(new Error(`${spec.file} ended before it was ready`));
    });
  });
  // Nobody awaits this when the servers are down.
  ready.catch(() => undefined);
  return {
    role: spec.role,
    pid: child.pid ?? 0,
    database,
    redis,
    get isRunning() {
      return isRunning;
    },
    ready,
    ended,
    signal: (name) => void child.kill(name),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
