import { randomUUID } from 'node:crypto';
import { checkDatabase } from '../../../../shared/db/check-database.ts';
import { SESSION_SETTINGS, storeSettings } from '../../../../shared/db/postgres-session.ts';
import { openDb } from '../../../../shared/db/prisma.ts';
import { waitForDatabase } from '../../../../shared/db/wait-for-database.ts';
import { withClient } from '../../../../shared/db/with-client.ts';
import { OTHER_SETTINGS } from '../../../env/servers/other-settings.ts';
import {
  makeEmptyDatabase,
  type TestDatabase,
  withDefaults,
} from '../../../env/servers/postgres.ts';

let database: TestDatabase;
let role: string;
let url: string;

beforeEach(async () => {
  database = await makeEmptyDatabase();
  role = `role_${randomUUID().replaceAll('-', '')}`;
  const password = randomUUID();
  await asOwner(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
  for (const [name, value] of Object.entries(OTHER_SETTINGS))
    await asOwner(`ALTER ROLE ${role} SET ${name} = '${value}'`);
  const withOptions = new URL(await withDefaults(database, OTHER_SETTINGS));
  withOptions.username = role;
  withOptions.password = password;
  url = withOptions.href;
});
afterEach(async () => {
  await database.drop();
  await withOther((client) => client.query(`DROP ROLE ${role}`));
});

function asOwner(sql: string): Promise<unknown> {
  return withClient(database.url, 'test', (client) => client.query(sql));
}

async function withOther(use: Parameters<typeof withClient>[2]): Promise<void> {
  const other = await makeEmptyDatabase();
  await withClient(other.url, 'test', use);
  await other.drop();
}

const SHOWN = 'SELECT name, setting FROM pg_settings';
interface Shown {
  readonly name: string;
  readonly setting: string;
}

function expectSettings(rows: readonly Shown[], expected: Readonly<Record<string, string>>): void {
  const all = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  const names = Object.keys(expected);
  expect(Object.fromEntries(names.map((name) => [name, all[name]]))).toEqual(expected);
}

describe('where server, database, role and options of DATABASE_URL all have other settings', () => {
  it('a session for one task has the settings of the program', async () => {
    const rows = await withClient(
      url,
      'test',
      async (client) => (await client.query<Shown>(SHOWN)).rows,
    );
    expectSettings(rows, SESSION_SETTINGS);
  });

  it.each([
    ['with models', openDb, false],
    ['of SQL alone', openDb, true],
  ] as const)(
    'a session of the store %s has them, with its own time-outs',
    async (_name, open, plansOnce) => {
      const db = open({ databaseUrl: url, poolMax: 1, applicationName: 'test', plansOnce });
      try {
        const rows = await db.$queryRawUnsafe<Shown[]>(SHOWN);
        expectSettings(rows, { ...SESSION_SETTINGS, ...storeSettings({ plansOnce }) });
      } finally {
        await db.$disconnect();
      }
    },
  );

  it('a start finds no problem', async () => {
    await expect(checkDatabase(url)).resolves.toBeUndefined();
  });

  it('options that the program does not set are kept', async () => {
    const withMore = new URL(url);
    withMore.searchParams.set('options', '-c work_mem=7MB -c TimeZone=Asia/Manila');
    const shown = await withClient(withMore.href, 'test', (client) =>
      client.query(
        `SELECT current_setting('work_mem') AS memory, current_setting('TimeZone') AS zone`,
      ),
    );
    expect(shown.rows).toEqual([{ memory: '7MB', zone: 'UTC' }]);
  });
});

describe('a start names', () => {
  it('a setting that a login trigger replaces', async () => {
    await asOwner(`
      CREATE FUNCTION move_clock() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM set_config('TimeZone', 'Asia/Tokyo', false); END $$;
      CREATE EVENT TRIGGER moves_clock ON login EXECUTE FUNCTION move_clock();
      ALTER EVENT TRIGGER moves_clock ENABLE ALWAYS`);
    await expect(waitForDatabase(url, 5_000)).rejects.toThrow(
      /TimeZone is "Asia\/Tokyo" instead of "UTC".*login trigger/,
    );
    await asOwner('DROP EVENT TRIGGER moves_clock');
  });

  it.each([
    [
      'session_replication_role',
      'replica',
      /session_replication_role is "replica" and must be "origin"/,
    ],
    ['transaction_timeout', '1000', /transaction_timeout is "1000" and must be "0"/],
  ])('%s, which it cannot set for all servers and roles', async (name, value, message) => {
    await asOwner(`ALTER ROLE ${role} SET ${name} = '${value}'`);
    await expect(waitForDatabase(url, 5_000, 'DATABASE_OWNER_URL')).rejects.toThrow(message);
  });

  it('a database in another encoding', async () => {
    await withOther(async (client) => {
      const name = `latin_${randomUUID().replaceAll('-', '')}`;
      await client.query(
        `CREATE DATABASE ${name} TEMPLATE template0 ENCODING LATIN1 LOCALE_PROVIDER libc LOCALE 'C'`,
      );
      const latin = new URL(database.url);
      latin.pathname = `/${name}`;
      await expect(checkDatabase(latin.href)).rejects.toThrow(
        /server_encoding is "LATIN1" and must be "UTF8"/,
      );
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    });
  });
});
