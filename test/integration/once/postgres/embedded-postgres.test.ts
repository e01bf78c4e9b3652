import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  ensureDatabase,
  hasEmbeddedCluster,
  startEmbeddedPostgres,
} from '../../../../ops/embedded-postgres/server.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';

const logger = makeLogger({ level: 'silent', name: 'test' });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'));
});
afterEach(() => {
  const cluster = join(folder, 'postgres');
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true });
  rmSync(folder, { recursive: true });
});

function start(port?: number): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir: folder,
    logger,
    settings: { fsync: 'off', shared_buffers: '16MB' },
    ...(port === undefined ? {} : { port }),
  });
}

async function ask(url: string, question: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(question);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}

/** A folder that only its owner can enter, and an open one. For root, the first makes the cluster move to another folder. */
describe.each([
  ['a folder that only its owner can enter', 0o700],
  ['a folder that every user can enter', 0o755],
])('an embedded PostgreSQL in %s', (_, mode) => {
  beforeEach(() => chmodSync(folder, mode));

  it('keeps data and address after a restart', async () => {
    expect(hasEmbeddedCluster(folder)).toBe(false);
    const first = await start();
    expect(await ensureDatabase(first.adminUrl, 'registry')).toBe(true);
    await ask(first.ownerUrl('registry'), 'CREATE TABLE kept AS SELECT 1 AS id');
    await first.stop();
    expect(hasEmbeddedCluster(folder)).toBe(true);

    const second = await start();
    expect(second.adopted).toBe(false);
    expect(second.adminUrl).toBe(first.adminUrl);
    expect(await ensureDatabase(second.adminUrl, 'registry')).toBe(false);
    expect(await ask(second.ownerUrl('registry'), 'SELECT id AS answer FROM kept')).toBe(1);
    await second.stop();
  });

  it('runs the service as a role that owns nothing, also in the folder of an earlier release', async () => {
    const earlier = await start();
    await ensureDatabase(earlier.adminUrl, 'registry');
    await ask(earlier.adminUrl, 'DROP ROLE registry_service');
    await earlier.stop();
    const serverFile = join(folder, 'postgres-server.json');
    const { servicePassword, ...left } = JSON.parse(readFileSync(serverFile, 'utf8'));
    expect(servicePassword).toMatch(/^[0-9a-f]{48}$/);
    writeFileSync(serverFile, JSON.stringify(left));

    const later = await start();
    const url = later.databaseUrl('registry');
    expect(await ask(url, 'SELECT current_user::text AS answer')).toBe('registry_service');
    expect(
      await ask(url, 'SELECT rolsuper AS answer FROM pg_roles WHERE rolname = current_user'),
    ).toBe(false);
    await later.stop();
    expect((await start()).databaseUrl('registry')).toBe(url);
  });

  it('is adopted when an earlier process left it running', async () => {
    const left = await start();
    const adopting = await start();
    expect(adopting.adopted).toBe(true);
    expect(adopting.adminUrl).toBe(left.adminUrl);
    await adopting.stop();
  });
});

describe('an embedded PostgreSQL', () => {
  it('uses another port when its own is in use', async () => {
    const first = await start();
    await first.stop();
    const port = Number(new URL(first.adminUrl).port);
    const stranger = createServer();
    await new Promise<void>((listening) => stranger.listen(port, '127.0.0.1', listening));
    const second = await start();
    expect(new URL(second.adminUrl).port).not.toBe(String(port));
    expect(await ask(second.adminUrl, 'SELECT 1 AS answer')).toBe(1);
    await second.stop();
    await new Promise((closed) => stranger.close(closed));
  });

  it('starts despite a pid file whose pid now belongs to another program', async () => {
    const first = await start();
    const pidPath = join(realpathSync(join(folder, 'postgres')), 'postmaster.pid');
    const path = existsSync(pidPath)
      ? pidPath
      : join(realpathSync(join(folder, 'postgres')), 'cluster', 'postmaster.pid');
    const lines = readFileSync(path, 'utf8').split('\n');
    await first.stop();
    writeFileSync(path, [String(process.pid), ...lines.slice(1)].join('\n'), { mode: 0o644 });
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await ask(second.adminUrl, 'SELECT 1 AS answer')).toBe(1);
    await second.stop();
  });

  it('restarts after its server was killed', async () => {
    const first = await start();
    const pid = await ask(
      first.adminUrl,
      `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS answer`,
    );
    process.kill(Number(pid), 'SIGKILL');
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await ask(second.adminUrl, 'SELECT 1 AS answer')).toBe(1);
    await second.stop();
  });

  it('is durable by default, listens only on this machine and requires a password', async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: folder, logger });
    expect(await ask(postgres.adminUrl, `SELECT current_setting('fsync') AS answer`)).toBe('on');
    expect(
      await ask(postgres.adminUrl, `SELECT current_setting('listen_addresses') AS answer`),
    ).toBe('127.0.0.1');
    const stranger = new URL(postgres.adminUrl);
    stranger.password = 'guess';
    await expect(ask(stranger.href, 'SELECT 1 AS answer')).rejects.toThrow(/password/);
    await postgres.stop();
  });
});
