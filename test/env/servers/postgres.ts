import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  ensureDatabase,
  startEmbeddedPostgres,
} from '../../../ops/embedded-postgres/server.ts';
import { prepareDatabase } from '../../../ops/launch/prepare-database.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';

export interface TestDatabase {
  /** For the role of the service, so that tests find missing grants. */
  readonly url: string;
  /** For the owner, for tests that change tables, inspect the server, or need privileges that the service lacks. */
  readonly ownerUrl: string;
  /** Throws when a connection is still open, so that the test that left it open fails. */
  drop(): Promise<void>;
}

/** Passed to the processes of the test run through their environment. */
const ADMIN_URL = 'TEST_POSTGRES_ADMIN_URL';
const SERVICE_URL = 'TEST_POSTGRES_SERVICE_URL';
const TEMPLATE = 'registry_template';
const SEEDED_TEMPLATE = 'registry_seeded';
const CONNECTIONS_END_MS_MAX = 20_000;

/** Fast instead of durable, because no test run has to survive a crash. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
};

/** Starts the server for the whole run and makes a template database with every migration. */
export async function startTestPostgres(folder: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    logger: makeLogger({ level: 'warn', name: 'test' }),
    settings: SETTINGS,
  });
  await ensureDatabase(postgres.adminUrl, TEMPLATE);
  await prepareDatabase({
    ownerUrl: postgres.ownerUrl(TEMPLATE),
    databaseUrl: postgres.databaseUrl(TEMPLATE),
  });
  process.env[ADMIN_URL] = postgres.adminUrl;
  process.env[SERVICE_URL] = postgres.databaseUrl('postgres');
  return postgres;
}

/** A copy of the migrated template, for one test file. */
export function makeTestDatabase(): Promise<TestDatabase> {
  return makeDatabase(copyOf(TEMPLATE));
}

/** Makes the template of `makeSeededDatabase`: the migrated template plus the data that `seed` writes. `seed` must close its connections. */
export async function makeSeededTemplate(
  seed: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const admin = await connectAsAdmin();
  try {
    await admin.query(`CREATE DATABASE ${SEEDED_TEMPLATE} ${copyOf(TEMPLATE)}`);
  } finally {
    await admin.end();
  }
  await seed(urlOf(SERVICE_URL, SEEDED_TEMPLATE));
}

/** A copy of the template with the demonstration data, for one test. */
export function makeSeededDatabase(): Promise<TestDatabase> {
  return makeDatabase(copyOf(SEEDED_TEMPLATE));
}

/** A database without tables and grants; both of its URLs are the owner's. */
export async function makeEmptyDatabase(): Promise<TestDatabase> {
  const database = await makeDatabase(copyOf('template0'));
  return { ...database, url: database.ownerUrl };
}

/** Sets defaults of the database, and returns its URL with the same settings as options. */
export async function withDefaults(
  { url }: TestDatabase,
  defaults: Readonly<Record<string, string>>,
): Promise<string> {
  const settings = Object.entries(defaults);
  if (settings.length === 0) return url;
  const changed = new URL(url);
  const admin = await connectAsAdmin();
  try {
    const database = admin.escapeIdentifier(changed.pathname.slice(1));
    for (const [name, value] of settings)
      await admin.query(`ALTER DATABASE ${database} SET ${name} = ${admin.escapeLiteral(value)}`);
  } finally {
    await admin.end();
  }
  const options = settings.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`);
  changed.searchParams.set('options', options.join(' '));
  return changed.href;
}

/** Copies files: copying pages would write them to the log and take longer, and each test file makes a copy. */
function copyOf(template: string): string {
  return `TEMPLATE ${template} STRATEGY FILE_COPY`;
}

/** One connection creates and drops the database. Keeping it open costs less than opening another. */
async function makeDatabase(from: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = await connectAsAdmin();
  try {
    await admin.query(`CREATE DATABASE ${name} ${from}`);
  } catch (error) {
    await admin.end();
    throw error;
  }
  return {
    url: urlOf(SERVICE_URL, name),
    ownerUrl: urlOf(ADMIN_URL, name),
    drop: async () => {
      try {
        const left = await connectionsLeft(admin, name);
        await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
        if (left.length > 0) throw new Error(`connections left open: ${left.join(', ')}`);
      } finally {
        await admin.end();
      }
    },
  };
}

/** Polls for a while, because the server notices closed connections with a delay. */
async function connectionsLeft(admin: Client, database: string): Promise<string[]> {
  const endsAt = Date.now() + CONNECTIONS_END_MS_MAX;
  for (;;) {
    const { rows } = await admin.query<{ what: string }>(
      `SELECT coalesce(nullif(application_name, ''), 'unnamed') || ' after "' || left(query, 60) || '"' AS what
       FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
      [database],
    );
    if (rows.length === 0 || Date.now() >= endsAt) return rows.map(({ what }) => what);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function connectAsAdmin(): Promise<Client> {
  const admin = new Client({ connectionString: serverUrl(ADMIN_URL) });
  await admin.connect();
  return admin;
}

function urlOf(role: typeof ADMIN_URL | typeof SERVICE_URL, database: string): string {
  const url = new URL(serverUrl(role));
  url.pathname = `/${database}`;
  return url.href;
}

function serverUrl(role: typeof ADMIN_URL | typeof SERVICE_URL): string {
  const url = process.env[role];
  if (url === undefined)
    throw new Error(
      'no test database: this test must be in a project with a global setup (jest.config.js)',
    );
  return url;
}
