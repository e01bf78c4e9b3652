import { Client, DatabaseError } from 'pg';
import { SESSION_SETTINGS, sessionConfig, storeSettings } from './postgres-session.ts';

const ANSWER_MS_MAX = 5_000;
/** protocol_violation: a pooler refuses a session setting that it cannot keep, or BEGIN. */
const REFUSED_BY_POOLER = '08P01';

const POOLED =
  'a connection pooler in front of PostgreSQL shares connections between sessions (PgBouncer: pool_mode = transaction or statement), so the settings and locks of a session are lost. Use the address of PostgreSQL itself, or of a pool in session mode that keeps settings';

/** The database answers but lacks what the program needs; waiting does not help. The message is worded to follow "the database at …". */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/**
 * Opens sessions as the program does and checks what the program relies on: its settings, and that a session keeps its
 * connection between two statements. Throws {@link UnusableDatabaseError} that names every failed check.
 */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  const clients = Array.from({ length: SESSIONS }, () => makeClient(databaseUrl));
  const [first, ...others] = clients;
  if (first === undefined) return;
  try {
    await first.connect();
    if (await isShared(first, others)) throw new UnusableDatabaseError(POOLED);
    const problems = await findSettingProblems(first);
    if (problems.length > 0) throw new UnusableDatabaseError(problems.join('; '));
  } catch (error) {
    if (error instanceof DatabaseError && error.code === REFUSED_BY_POOLER)
      throw new UnusableDatabaseError(`${POOLED} (it says: ${error.message})`, { cause: error });
    throw error;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/**
 * Three sessions always reveal a shared pool. There, the connection of the first session is idle between its statements. When
 * two others begin a transaction, either one of them gets that connection, or the first session gets another one.
 */
const SESSIONS = 3;

async function isShared(first: Client, others: readonly Client[]): Promise<boolean> {
  const process = await processOf(first);
  for (const other of others) {
    await other.connect();
    await other.query('BEGIN');
    if ((await processOf(other)) === process) return true;
    if ((await processOf(first)) !== process) return true;
  }
  return false;
}

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}

function makeClient(databaseUrl: string): Client {
  const client = new Client({
    ...sessionConfig(databaseUrl, { applicationName: 'start', settings: storeSettings() }),
    connectionTimeoutMillis: ANSWER_MS_MAX,
    query_timeout: ANSWER_MS_MAX,
  });
  // Without a listener, losing the connection would end the process.
  client.on('error', () => undefined);
  return client;
}

/** Settings that the program cannot make itself: the required value, and the remedy for any other value. */
const REQUIRED_SETTINGS: Readonly<
  Record<string, { readonly value: string; readonly remedy: string }>
> = {
  server_encoding: { value: 'UTF8', remedy: 'make a database with ENCODING UTF8' },
  session_replication_role: {
    value: 'origin',
    remedy:
      'remove it from the defaults of the role and the database: triggers protect the stored data',
  },
  transaction_read_only: {
    value: 'off',
    remedy: 'use the address of the primary: this is a standby or a read-only database',
  },
  // New in PostgreSQL 17, so it cannot be set for every session.
  transaction_timeout: {
    value: '0',
    remedy:
      'remove it from the defaults of the role and the database, for example with ALTER ROLE … RESET',
  },
};
const REPLACED =
  "a connection pooler or a login trigger replaces the program's settings. Use the address of PostgreSQL itself, or remove the trigger";

async function findSettingProblems(client: Client): Promise<string[]> {
  const wanted: Readonly<Record<string, string>> = { ...SESSION_SETTINGS, ...storeSettings() };
  const { rows } = await client.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [[...Object.keys(wanted), ...Object.keys(REQUIRED_SETTINGS)]],
  );
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  const isWrong = (name: string, value: string) =>
    found.has(name) ? found.get(name) !== value : !Object.hasOwn(REQUIRED_SETTINGS, name);
  const replaced = Object.entries(wanted)
    .filter(([name, value]) => isWrong(name, value))
    .map(([name, value]) => `${name} is "${found.get(name) ?? ''}" instead of "${value}"`);
  const unmet = Object.entries(REQUIRED_SETTINGS)
    .filter(([name, { value }]) => isWrong(name, value))
    .map(
      ([name, { value, remedy }]) =>
        `${name} is "${found.get(name)}" and must be "${value}": ${remedy}`,
    );
  return [...(replaced.length === 0 ? [] : [`${replaced.join(', ')}: ${REPLACED}`]), ...unmet];
}
