import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';

export interface RefusedStart {
  readonly code: number | null;
  /** What the process wrote to its standard error. */
  readonly said: string;
}

/** Runs a process that does not start, with new keys unless the environment has others. Resolves when it has ended. */
export async function runRefusedStart(
  module: string,
  environment: NodeJS.ProcessEnv,
): Promise<RefusedStart> {
  const child = spawn(process.execPath, ['--import', 'tsx', module], {
    cwd: findProjectRoot(),
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'fatal',
      PORT: '0',
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      CLIENT_SECRET_PEPPER: randomBytes(32).toString('base64'),
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, said };
}
