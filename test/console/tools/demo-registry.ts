import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../../ops/embedded-postgres/free-port.ts';
import { DEMO_CLIENTS_FILE, DemoCredentials } from '../../../ops/seed.ts';
import type { Role } from '../../../shared/contract/staff.ts';
import { findProjectRoot } from '../../../shared/platform/project-root.ts';
import { makeRunFolder, removeRunFolder } from '../../env/run-folder.ts';

export interface DemoRegistry {
  readonly url: string;
  /** The file of the credentials of its insurers. */
  readonly clientsFile: string;
  /** E-mail address and password of the demonstration user of that role, who has not signed in yet. */
  userOf(role: Role): { readonly email: string; readonly password: string };
  stop(): Promise<void>;
}

const IS_READY = 'The registry keeps running';

/** Runs `npm run demo` with an empty database of its own and waits until its batch is registered. */
export async function startDemoRegistry(): Promise<DemoRegistry> {
  const dataDir = makeRunFolder();
  const port = await findFreePort();
  const child = spawn(process.execPath, ['--import', 'tsx', join('ops', 'demo.ts')], {
    cwd: findProjectRoot(),
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      HEALTH_PORT: '0',
      // Of its own, whatever this machine has.
      DATABASE_URL: '',
      REDIS_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    removeRunFolder(dataDir);
  };
  try {
    await untilReady(child);
  } catch (error) {
    await stop();
    throw error;
  }
  const clientsFile = join(dataDir, DEMO_CLIENTS_FILE);
  const { adminUsers } = DemoCredentials.parse(JSON.parse(readFileSync(clientsFile, 'utf8')));
  return {
    url: `http://127.0.0.1:${port}`,
    clientsFile,
    userOf: (role) => {
      const user = adminUsers.find((one) => one.role === role);
      if (user === undefined) throw new Error(`the demonstration has no ${role}`);
      return user;
    },
    stop,
  };
}

/** @throws when the demonstration ends before it is ready, with what it printed */
async function untilReady(child: ChildProcess): Promise<void> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      output += text.toString();
      if (output.includes(IS_READY)) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the demonstration did not start:\n${output}`)));
  });
}
