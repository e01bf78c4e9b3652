import { Client, DatabaseError } from 'pg';
import { SESSION_SETTINGS, sessionConfig, storeSettings } from './postgres-session.ts';

const ANSWER_MS_MAX = 5_000;
/** PROTOCOL_VIOLATION: what a pooler answers to a setting of a session that it can't keep, or to BEGIN. */
const REFUSED_BY_POOLER = '08P01';

const POOLED =
  'a connection pooler in front of PostgreSQL hands connections on between statements (PgBouncer: pool_mode = transaction or statement), and what a session sets and locks is lost. Name PostgreSQL itself, or a pool in session mode that keeps settings';

/** The database answers, but not as the program needs it; waiting mends nothing. The message follows "the database at …". */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError';
}

/**
 * Opens sessions as the program does, and holds them to what it relies on: its settings, and that a session stays the same
 * between two statements. Throws {@link UnusableDatabaseError} with what does not hold, by name.
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
 * Three always tell: in a pool that hands connections on, the one of the first session lies idle between its statements. Of two
 * that begin a transaction each either one gets it, or the first gets another.
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
  // Without a listener a connection cut later would end the process.
  client.on('error', () => undefined);
  return client;
}

/** What the program can't set itself: a value that must hold, and what to do where another one does. */
const DEMANDS: Readonly<Record<string, { readonly value: string; readonly remedy: string }>> = {
  server_encoding: { value: 'UTF8', remedy: 'make a database with ENCODING UTF8' },
  session_replication_role: {
    value: 'origin',
    remedy: 'take it from the defaults of the role and the database: triggers guard what is stored',
  },
  transaction_read_only: {
    value: 'off',
    remedy: 'name the primary: this is a standby, or it was made read-only',
  },
  // Known from PostgreSQL 17 on, so it can't be set for all.
  transaction_timeout: {
    value: '0',
    remedy: 'take it from the defaults of the role and the database, as with ALTER ROLE … RESET',
  },
};
const REPLACED =
  'something replaces what the program sets: a connection pooler that drops it, or a login trigger of the database. Name PostgreSQL itself, or remove the trigger';

async function findSettingProblems(client: Client): Promise<string[]> {
  const wanted: Readonly<Record<string, string>> = { ...SESSION_SETTINGS, ...storeSettings() };
  const { rows } = await client.query<{ name: string; setting: string }>(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [[...Object.keys(wanted), ...Object.keys(DEMANDS)]],
  );
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  const isOther = (name: string, value: string) =>
    found.has(name) ? found.get(name) !== value : !Object.hasOwn(DEMANDS, name);
  const replaced = Object.entries(wanted)
    .filter(([name, value]) => isOther(name, value))
    .map(([name, value]) => `${name} is "${found.get(name) ?? ''}" instead of "${value}"`);
  const demanded = Object.entries(DEMANDS)
    .filter(([name, { value }]) => isOther(name, value))
    .map(
      ([name, { value, remedy }]) =>
        `${name} is "${found.get(name)}" and must be "${value}": ${remedy}`,
    );
  return [...(replaced.length === 0 ? [] : [`${replaced.join(', ')}: ${REPLACED}`]), ...demanded];
}
