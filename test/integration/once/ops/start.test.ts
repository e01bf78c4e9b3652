import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerUrlOf, readServerFile } from '../../../../ops/embedded-postgres/server-file.ts';
import { withClient } from '../../../../shared/db/with-client.ts';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';
import { TIMEOUT_MS } from '../../../env/server-timeouts.ts';

interface Start {
  readonly process: ChildProcess;
  /** Everything written so far. */
  output(): string;
  /** Resolves with the output once it matches; rejects when the process ends before. */
  until(pattern: RegExp): Promise<string>;
  readonly exited: Promise<number | null>;
}

jest.setTimeout(4 * TIMEOUT_MS);

let folder: string;
let running: Start[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  chmodSync(folder, 0o755);
  running = [];
});
afterEach(async () => {
  for (const start of running) start.process.kill('SIGTERM');
  await Promise.all(running.map(({ exited }) => exited));
  const cluster = join(folder, 'postgres');
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true });
  rmSync(folder, { recursive: true });
});

function start(environment: NodeJS.ProcessEnv = {}): Start {
  const child = spawn(process.execPath, ['--import', 'tsx', 'ops/start.ts'], {
    cwd: findProjectRoot(),
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      PORT: '0',
      WORKERS: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const exited = new Promise<number | null>((done) => child.on('close', done));
  const until = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (!pattern.test(output)) return;
        child.stdout.off('data', look);
        resolve(output);
      };
      child.stdout.on('data', look);
      child.on('close', () => reject(new Error(`ended before ${pattern}: ${output}`)));
      look();
    });
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const started = { process: child, output: () => output, until, exited };
  running.push(started);
  return started;
}

async function untilUp(started: Start): Promise<string> {
  const output = await started.until(/Stop +Ctrl-C/);
  return /API +(http:\/\/[^/]+)/.exec(output)?.[1] ?? '';
}

/** Who API and workers are to the database. */
async function rolesOfProcesses(): Promise<string[]> {
  const server = readServerFile(join(folder, 'postgres-server.json'));
  const { rows } = await withClient(ownerUrlOf(server, 'registry'), 'test', (client) =>
    client.query<{ role: string }>(
      `SELECT DISTINCT usename::text AS role FROM pg_stat_activity
       WHERE datname = 'registry' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    ),
  );
  return rows.map(({ role }) => role);
}

/** Reads the body too: an answer left unread keeps its connection open. */
async function statusOf(url: string): Promise<number> {
  const reply = await fetch(url);
  await reply.arrayBuffer();
  return reply.status;
}

/** Of the last process of that name that became ready. */
function pidOf(name: string, output: string): number {
  const ready = output
    .split('\n')
    .filter((line) => line.includes('"process is ready"'))
    .map((line) => JSON.parse(line) as { process: string; pid: number })
    .filter((line) => line.process === name);
  return ready.at(-1)?.pid ?? 0;
}

async function untilGone(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await new Promise((done) => setTimeout(done, 20));
}

describe('npm start', () => {
  it('brings everything up from an empty folder and stops it in order', async () => {
    const first = start({ HEALTH_PORT: '0' });
    const url = await untilUp(first);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
    expect(await statusOf(/Health +(\S+)/.exec(first.output())?.[1] ?? '')).toBe(200);
    expect(await statusOf(`${url}/api/v1/openapi.json`)).toBe(200);
    expect(await rolesOfProcesses()).toEqual(['registry_service']);
    expect(first.output()).not.toContain('not append-only');
    expect(JSON.parse(readFileSync(join(folder, 'demo-clients.json'), 'utf8'))).toHaveProperty(
      'clients',
    );

    first.process.kill('SIGINT');
    first.process.kill('SIGINT');
    expect(await first.exited).toBe(0);
    const stopped = ['"api"', '"worker-1"', 'embedded PostgreSQL stopped'].map((what) =>
      first.output().lastIndexOf(what),
    );
    expect(stopped).toEqual(stopped.toSorted((a, b) => a - b));
    expect(existsSync(join(folder, 'system.json'))).toBe(false);
  });

  it('starts a process again that ended by itself', async () => {
    const first = start();
    const url = await untilUp(first);
    const worker = pidOf('worker-1', first.output());
    process.kill(worker, 'SIGKILL');
    await first.until(/ended by itself and is started again/);
    await first.until(/started again.*"process":"worker-1".*process is ready/s);
    expect(pidOf('worker-1', first.output())).not.toBe(worker);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
  });

  it('refuses a folder that another one uses, and takes it over after a kill -9', async () => {
    const first = start();
    await untilUp(first);
    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`already runs a registry on ${folder}`);

    const children = [pidOf('api', first.output()), pidOf('worker-1', first.output())];
    first.process.kill('SIGKILL');
    const third = start();
    await untilUp(third);
    await Promise.all(children.map(untilGone));
    expect(third.output()).toMatch(/"adopted":true/);
    third.process.kill('SIGTERM');
    expect(await third.exited).toBe(0);
  });

  it('refuses to run without the keys of its database', async () => {
    const first = start();
    await untilUp(first);
    first.process.kill('SIGTERM');
    await first.exited;
    rmSync(join(folder, 'keys.json'));
    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain('keys.json is gone');
  });

  it('says which variable is wrong', async () => {
    const first = start({ PORT: 'eighty' });
    expect(await first.exited).toBe(1);
    expect(first.output()).toBe(
      'PORT must be a whole number from 0 to 65535, not "eighty". Correct it or leave it out for "3000".\n',
    );
  });

  it('seeds nothing in production', async () => {
    const first = start({ NODE_ENV: 'production' });
    await untilUp(first);
    expect(existsSync(join(folder, 'demo-clients.json'))).toBe(false);
  });
});
