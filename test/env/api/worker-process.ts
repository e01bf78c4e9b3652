import { spawn } from 'node:child_process';
import { ReadyMessage } from '../../../shared/platform/config/supervised.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import type { TestApi } from './api-env.ts';

export interface WorkerProcess {
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>;
}

/** Starts a worker of the same registry in its own process. Resolves when it is ready. */
export function startWorkerProcess(api: TestApi): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'worker/main.ts'], {
    cwd: findProjectRoot(),
    env: environmentOf(api),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const kill = () =>
    new Promise<void>((done) => {
      child.on('close', () => done());
      child.kill('SIGKILL');
    });
  return new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (ReadyMessage.safeParse(message).success) resolve({ kill });
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error('the worker ended before it was ready')));
  });
}

/** The environment for a process of the same registry. */
export function environmentOf({ config }: TestApi): NodeJS.ProcessEnv {
  const { databaseUrl, redisUrl, redisPrefix, encryptionKeys, clientSecretPepper } = config;
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: databaseUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl, REDIS_PREFIX: redisPrefix }),
    LEASE_SECONDS: String(config.leaseSeconds),
    ENCRYPTION_KEYS: encryptionKeys
      .map(({ id, key }) => `${id}:${key.toString('base64')}`)
      .join(','),
    CLIENT_SECRET_PEPPER: clientSecretPepper.map(({ key }) => key.toString('base64')).join(','),
  };
}
