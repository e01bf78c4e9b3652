import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { applyMigrations, checkMigrations } from '../../../../shared/db/migrate.ts';
import { applyQueueMigrations, checkQueueMigrations } from '../../../../shared/queue/migrate.ts';
import {
  makeEmptyDatabase,
  makeTestDatabase,
  type TestDatabase,
} from '../../../env/servers/postgres.ts';

let database: TestDatabase;
let client: Client;
let folder: string;

beforeEach(async () => {
  database = await makeEmptyDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  write('20260101000000_first', 'CREATE TABLE first (id int); CREATE TABLE other (id int);');
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await client.end();
  await database.drop();
});

function write(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function tables(): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

describe('applyMigrations', () => {
  it('applies missing migrations once, in order', async () => {
    write('20260102000000_second', 'ALTER TABLE first ADD COLUMN name text');
    expect(await applyMigrations(database.url, { folder })).toEqual([
      '20260101000000_first',
      '20260102000000_second',
    ]);
    expect(await applyMigrations(database.url, { folder })).toEqual([]);
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'other']);
  });

  it('writes the same ledger as prisma migrate deploy', async () => {
    await applyMigrations(database.url, { folder });
    const { rows } = await client.query('SELECT * FROM _prisma_migrations');
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        checksum: 'deb09305eb16928f63f6a96605cd9ab38570cb426ad9a170d8b48be8cc20f89b',
        migration_name: '20260101000000_first',
        started_at: expect.any(Date),
        finished_at: expect.any(Date),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
      },
    ]);
  });

  it('rolls back a migration that fails', async () => {
    write('20260102000000_broken', 'CREATE TABLE second (id int); SELECT nonsense;');
    await expect(applyMigrations(database.url, { folder })).rejects.toThrow(
      /20260102000000_broken failed and was rolled back/,
    );
    expect(await tables()).toEqual(['_prisma_migrations', 'first', 'other']);
    write('20260102000000_broken', 'CREATE TABLE second (id int);');
    expect(await applyMigrations(database.url, { folder })).toEqual(['20260102000000_broken']);
  });

  it('applies each migration once when several processes start together', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => applyMigrations(database.url, { folder })));
    expect(runs.flat()).toEqual(['20260101000000_first']);
  });

  it('refuses a file that was changed after it was applied', async () => {
    await applyMigrations(database.url, { folder });
    write('20260101000000_first', 'CREATE TABLE first (id bigint);');
    await expect(applyMigrations(database.url, { folder })).rejects.toThrow(
      /20260101000000_first was changed after it was applied/,
    );
    expect(await checkMigrations(client, { folder })).toEqual([
      expect.stringContaining('was changed'),
    ]);
  });

  it('refuses a database that a newer release migrated', async () => {
    write('20260102000000_newer', 'CREATE TABLE newer (id int);');
    await applyMigrations(database.url, { folder });
    rmSync(join(folder, '20260102000000_newer'), { recursive: true });
    await expect(applyMigrations(database.url, { folder })).rejects.toThrow(
      /20260102000000_newer, which this release does not know/,
    );
  });

  it('refuses a migration that another tool left unfinished', async () => {
    await applyMigrations(database.url, { folder });
    await client.query('UPDATE _prisma_migrations SET finished_at = NULL');
    await expect(applyMigrations(database.url, { folder })).rejects.toThrow(/not finished/);
    await client.query('UPDATE _prisma_migrations SET rolled_back_at = now()');
    await client.query('DROP TABLE first, other');
    expect(await applyMigrations(database.url, { folder })).toEqual(['20260101000000_first']);
  });
});

describe('checkMigrations', () => {
  it('names missing migrations, also on a database without a ledger', async () => {
    expect(await checkMigrations(client, { folder })).toEqual([
      'migration 20260101000000_first is not applied: run "npm run migrate"',
    ]);
    await applyMigrations(database.url, { folder });
    expect(await checkMigrations(client, { folder })).toEqual([]);
  });

  it('finds no problem in a test database', async () => {
    const migrated = await makeTestDatabase();
    const session = new Client({ connectionString: migrated.url });
    await session.connect();
    expect(await checkMigrations(session)).toEqual([]);
    expect(await checkQueueMigrations(session)).toEqual([]);
    await session.end();
    await migrated.drop();
  });
});

describe('the tables of the queue', () => {
  it('are reported as missing, created once, and then found', async () => {
    expect(await checkQueueMigrations(client)).toEqual([
      expect.stringContaining('not initialized'),
    ]);
    await Promise.all([applyQueueMigrations(database.url), applyQueueMigrations(database.url)]);
    expect(await checkQueueMigrations(client)).toEqual([]);
  });

  it('are refused when they are older than the installed library needs', async () => {
    await applyQueueMigrations(database.url);
    await client.query(
      'DELETE FROM bullmq.migration WHERE version = (SELECT max(version) FROM bullmq.migration)',
    );
    expect(await checkQueueMigrations(client)).toEqual([
      expect.stringMatching(/have version \d+, \d+ is needed/),
    ]);
  });
});
