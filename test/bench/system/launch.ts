import { type ChildProcess, fork } from 'node:child_process';
import { ReadyMessage } from '../../../shared/platform/config/supervised.ts';
import type { Watched } from './usage.ts';

const STOP_MS_MAX = 20_000;

export interface Running {
  readonly watched: Watched;
  /** Where it listens; empty when it listens nowhere. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface ProcessSpec {
  readonly role: string;
  readonly path: string;
  readonly nodeOptions?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Starts a process as `npm start` does and resolves when it reports that it is ready. Its log is written and dropped, because
 * logging is part of the work. It ends when this process ends.
 */
export async function launch({
  role,
  path,
  nodeOptions = [],
  environment,
}: ProcessSpec): Promise<Running> {
  const child = fork(path, [], {
    execArgv: [...nodeOptions],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      SUPERVISED: '1',
      DRAIN_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = await readiness(child, role);
  return {
    url,
    watched: { role, pid: child.pid ?? 0, children: 'none' },
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
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await ended;
  clearTimeout(killer);
}
