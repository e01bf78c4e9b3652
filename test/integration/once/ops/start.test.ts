import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerUrlOf, readServerFile } from '../../../../ops/embedded-postgres/server-file.ts';
import { withClient } from '../../../../shared/db/with-client.ts';
import { TIMEOUT_MS } from '../../../env/server-timeouts.ts';
import { type StartedCommand, startCommand } from '../../../env/servers/started-command.ts';

jest.setTimeout(4 * TIMEOUT_MS);

let folder: string;
let running: StartedCommand[];

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

function start(environment: NodeJS.ProcessEnv = {}): StartedCommand {
  const started = startCommand(['ops/start.ts'], folder, environment);
  running.push(started);
  return started;
}

async function untilUp(started: StartedCommand): Promise<string> {
  const output = await started.until(/Stop +Ctrl-C/);
  return /API +(http:\/\/[^/]+)/.exec(output)?.[1] ?? '';
}

/** The database roles of API and workers. */
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

/** Also reads the body, because an unread answer keeps its connection open. */
async function statusOf(url: string): Promise<number> {
  const reply = await fetch(url);
  await reply.arrayBuffer();
  return reply.status;
}

/** The pid of the last process of that name that became ready. */
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
  it('starts everything from an empty folder and stops it in order', async () => {
    const first = start({ HEALTH_PORT: '0' });
    const url = await untilUp(first);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
    expect(await statusOf(/Health +(\S+)/.exec(first.output())?.[1] ?? '')).toBe(200);
    expect(await statusOf(`${url}/api/v1/openapi.json`)).toBe(200);
    expect(await rolesOfProcesses()).toEqual(['registry_service']);
    expect(first.output()).not.toContain('not append-only');
    expect(first.output()).toContain(`Console       ${url}/console`);
    expect(first.output()).toMatch(
      /Sign in +administrator@regulator\.example, .+\n.*demo-clients\.json/,
    );
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

  it('restarts a process that ended unexpectedly', async () => {
    const first = start();
    const url = await untilUp(first);
    const worker = pidOf('worker-1', first.output());
    process.kill(worker, 'SIGKILL');
    await first.until(/ended unexpectedly and will be restarted/);
    await first.until(/will be restarted.*"process":"worker-1".*process is ready/s);
    expect(pidOf('worker-1', first.output())).not.toBe(worker);
    expect(await statusOf(`${url}/health/live`)).toBe(200);
  });

  it('refuses a folder that another system uses, and takes it over after SIGKILL', async () => {
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
    expect(second.output()).toContain('keys.json is missing');
  });

  it('names the invalid variable', async () => {
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
    expect(first.output()).not.toContain('Sign in');
  });
});
