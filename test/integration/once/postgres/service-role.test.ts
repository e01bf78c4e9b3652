import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { prepareDatabase } from '../../../../ops/launch/prepare-database.ts';
import { applyMigrations } from '../../../../shared/db/migrate.ts';
import {
  checkGrants,
  FEWER_PRIVILEGES,
  findUnrestrictedRole,
  grantToService,
} from '../../../../shared/db/service-role.ts';
import { withClient } from '../../../../shared/db/with-client.ts';
import { openQueuePool } from '../../../../shared/queue/postgres-pool.ts';
import { openProducer } from '../../../../shared/queue/producer.ts';
import {
  makeEmptyDatabase,
  makeTestDatabase,
  type TestDatabase,
} from '../../../env/servers/postgres.ts';

const EVERYTHING = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'];
const READ_AND_WRITE = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

const ask = (url: string, sql: string, values: unknown[] = []) =>
  withClient(url, 'test', async (client) => (await client.query(sql, values)).rows as object[]);

describe('in a migrated database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await makeTestDatabase();
  });
  afterAll(() => database.drop());

  it('the service has exactly its privileges on every table', async () => {
    const tables = (await ask(
      database.url,
      `SELECT n.nspname || '.' || c.relname AS name, c.relkind AS kind,
         ARRAY(SELECT p FROM unnest($1::text[]) AS p WHERE has_table_privilege(c.oid, p)) AS privileges
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('public', 'bullmq') AND c.relkind IN ('r', 'p', 'v') ORDER BY 1`,
      [EVERYTHING],
    )) as { name: string; kind: string; privileges: string[] }[];
    expect(tables.length).toBeGreaterThan(30);
    const meant = ({ name, kind }: { name: string; kind: string }) =>
      FEWER_PRIVILEGES[name] ?? (kind === 'v' ? ['SELECT'] : READ_AND_WRITE);
    expect(tables.map(({ name, privileges }) => [name, privileges])).toEqual(
      tables.map((table) => [table.name, meant(table)]),
    );
    const known = tables.map(({ name }) => name);
    expect(Object.keys(FEWER_PRIVILEGES).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each([
    'UPDATE audit_entries SET action = action',
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    'ALTER TABLE audit_entries DISABLE TRIGGER ALL',
    'UPDATE audit_head SET sequence = 0',
    'DELETE FROM audit_head',
    'DROP FUNCTION chain_audit_entry() CASCADE',
    'CREATE TABLE public.mine (id int)',
    "SET session_replication_role = 'replica'",
    'UPDATE _prisma_migrations SET checksum = checksum',
  ])('the service may not %s', async (statement) => {
    await expect(ask(database.url, statement)).rejects.toThrow(/permission denied|must be owner/);
  });

  it('a start finds no missing privilege and a restricted role', async () => {
    await withClient(database.url, 'test', async (client) => {
      expect(await checkGrants(client)).toEqual([]);
      expect(await findUnrestrictedRole(client)).toBeUndefined();
    });
  });

  it('the service can add jobs in bulk, and its privileges can be granted again afterwards', async () => {
    const pool = openQueuePool(database.url);
    const place = { kind: 'postgres', pool } as const;
    const errors: Error[] = [];
    const producer = await openProducer('granted', place, (error) => errors.push(error));
    await producer.enqueue(Array.from({ length: 20 }, () => ({ id: randomUUID() })));
    expect(await producer.depth()).toBe(20);
    await producer.close();
    await pool.end();
    expect(errors).toEqual([]);
    await prepareDatabase({ ownerUrl: database.ownerUrl, databaseUrl: database.url });
  });

  it('a start names a missing privilege', async () => {
    const service = new URL(database.url).username;
    await ask(database.ownerUrl, `REVOKE INSERT ON flags FROM ${service}`);
    await withClient(database.url, 'test', async (client) => {
      expect(await checkGrants(client)).toEqual([
        expect.stringMatching(/lacks INSERT on flags: run "npm run migrate"/),
      ]);
    });
    await prepareDatabase({ ownerUrl: database.ownerUrl, databaseUrl: database.url });
    await withClient(database.url, 'test', async (client) => {
      expect(await checkGrants(client)).toEqual([]);
    });
  });

  it('the service can use a table that another tool creates later', async () => {
    await ask(database.ownerUrl, 'CREATE TABLE later (id serial PRIMARY KEY)');
    expect(await ask(database.url, 'INSERT INTO later DEFAULT VALUES RETURNING id')).toEqual([
      { id: 1 },
    ]);
    await ask(database.ownerUrl, 'DROP TABLE later');
  });

  it('the owner and a superuser are reported as unrestricted roles', async () => {
    await withClient(database.ownerUrl, 'test', async (client) => {
      expect(await findUnrestrictedRole(client)).toMatch(/runs as a superuser.*DATABASE_OWNER_URL/);
    });
  });
});

describe('roles of an operator', () => {
  let database: TestDatabase;
  let owner: string;
  let service: string;
  const made: string[] = [];

  beforeEach(async () => {
    database = await makeEmptyDatabase();
    [owner, service] = [makeName('owner'), makeName('service')];
    await asAdmin(async (client, name) => {
      await client.query(`CREATE ROLE ${owner} LOGIN PASSWORD 'p'`);
      await client.query(`ALTER DATABASE ${name} OWNER TO ${owner}`);
      await client.query(`ALTER SCHEMA public OWNER TO ${owner}`);
    });
  });
  afterEach(async () => {
    await database.drop();
    const other = await makeEmptyDatabase();
    for (const name of made.splice(0)) await ask(other.url, `DROP ROLE IF EXISTS ${name}`);
    await other.drop();
  });

  function makeName(what: string): string {
    const name = `${what}_${randomUUID().replaceAll('-', '')}`;
    made.unshift(name);
    return name;
  }
  async function asAdmin(use: (client: Client, name: string) => Promise<unknown>): Promise<void> {
    const name = new URL(database.ownerUrl).pathname.slice(1);
    await withClient(database.ownerUrl, 'test', (client) => use(client, name));
  }
  function urlAs(role: string): string {
    const url = new URL(database.ownerUrl);
    [url.username, url.password] = [role, 'p'];
    return url.href;
  }
  const prepare = () => prepareDatabase({ ownerUrl: urlAs(owner), databaseUrl: urlAs(service) });

  it('a database that was migrated by its only role can be used by a role with grants', async () => {
    await applyMigrations(urlAs(owner));
    await asAdmin((client) => client.query(`CREATE ROLE ${service} LOGIN PASSWORD 'p'`));
    await asAdmin((client, name) => client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`));
    await prepare();
    await withClient(urlAs(service), 'test', async (client) => {
      expect(await checkGrants(client)).toEqual([]);
      expect(await findUnrestrictedRole(client)).toBeUndefined();
      await client.query('CREATE TEMPORARY TABLE mine (id int)');
    });
    await expect(prepare()).resolves.toEqual([]);
  });

  it('an owner who may create roles creates the service’s role with the password of DATABASE_URL', async () => {
    await asAdmin((client) => client.query(`ALTER ROLE ${owner} CREATEROLE`));
    await Promise.all([prepare(), prepare()]);
    await withClient(urlAs(service), 'test', async (client) => {
      expect(await checkGrants(client)).toEqual([]);
    });
  });

  it('for an owner who may not create it, the error names the statement for an administrator', async () => {
    await expect(prepare()).rejects.toThrow(
      new RegExp(`"${service}" of DATABASE_URL does not exist.*CREATE ROLE "${service}" LOGIN`),
    );
  });

  it('a superuser, the owner and a member of the owner are refused as the service’s role', async () => {
    await prepareDatabase({ ownerUrl: urlAs(owner), databaseUrl: urlAs(owner) });
    await asAdmin((client) => client.query(`CREATE ROLE ${service} LOGIN PASSWORD 'p' SUPERUSER`));
    await expect(prepare()).rejects.toThrow(/is a superuser: set DATABASE_URL to another role/);
    await asAdmin((client) => client.query(`ALTER ROLE ${service} NOSUPERUSER`));
    await asAdmin((client) => client.query(`GRANT ${owner} TO ${service}`));
    await expect(prepare()).rejects.toThrow(
      /owns the tables, or is a member of the role that does/,
    );
    await expect(grantToService(database.ownerUrl, urlAs(owner))).rejects.toThrow(
      /owns the tables/,
    );
  });
});
