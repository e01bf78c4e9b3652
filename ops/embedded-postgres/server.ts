import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { withClient } from '../../shared/db/with-client.ts';
import type { Logger } from '../../shared/platform/logger.ts';
import { findFreePort, isPortFree } from './free-port.ts';
import { withServiceRole } from './role.ts';
import {
  makeServerPassword,
  ownerUrlOf,
  readServerFile,
  type ServerFile,
  SUPERUSER,
  serviceUrlOf,
  writeServerFile,
} from './server-file.ts';
import {
  choosePostgresPlaces,
  findPostgresAccount,
  giveTo,
  isPostgres,
  type PostgresAccount,
  type PostgresPlaces,
  runAs,
} from './system-account.ts';

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly logger: Logger;
  /** Left out: a free one, chosen once and kept as long as nobody else takes it. */
  readonly port?: number;
  /** Lines of postgresql.conf over the built-in ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** As the role that the service runs as, which has what it is granted. */
  databaseUrl(name: string): string;
  /** As the superuser, who owns what migrations make. */
  ownerUrl(name: string): string;
  /** The maintenance database of the same server, as its superuser. */
  readonly adminUrl: string;
  /** The server was left running by an earlier process and is used on. */
  readonly adopted: boolean;
  /** Ends sessions and writes a checkpoint; an adopted server is stopped too. */
  stop(): Promise<void>;
}

/** Backends of a killed postmaster notice its death within a moment and let go of its memory. */
const HELD_A_MOMENT = /pre-existing shared memory block|lock file "[^"]*" already exists/;
const START_ATTEMPTS_MAX = 5;
const START_SECONDS_MAX = 60;
const STOP_SECONDS_MAX = 30;
const RETRY_PAUSE_MS = 1_000;
const SERVER_LOG_BYTES_MAX = 10 * 1_024 * 1_024;

/** Durable: fsync stays on. Nothing of a statement or a row reaches the server's log (D22). */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
  max_connections: '200',
  // Statistics follow a young registry that grows fast: plans made without any are slow ones.
  autovacuum_naptime: '10s',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  max_locks_per_transaction: '256',
  timezone: "'UTC'",
  log_timezone: "'UTC'",
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: "'none'",
};

/** Starts or adopts the PostgreSQL that lives under `dataDir/postgres`, on 127.0.0.1 only. Callers make sure that one process at a time does so for a folder. */
export async function startEmbeddedPostgres({
  dataDir,
  logger,
  port,
  settings = {},
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true });
  const account = findPostgresAccount();
  const places = choosePostgresPlaces(folder, account);
  if (places.relocated) {
    logger.info(
      { account: account.name, cluster: places.cluster, binaries: places.binaries },
      'the account of the database cannot enter DATA_DIR or the installation; what it needs lives elsewhere',
    );
  }
  const serverPath = join(folder, 'postgres-server.json');
  if (!existsSync(join(places.cluster, 'PG_VERSION'))) {
    writeServerFile(serverPath, {
      port: port ?? (await findFreePort()),
      password: makeServerPassword(),
    });
    await createCluster(account, places, readServerFile(serverPath), settings);
    logger.info('embedded PostgreSQL: new cluster made');
  }

  const adopted = await findRunning(account, places, readServerFile(serverPath));
  if (!adopted) {
    const { port: remembered, ...passwords } = readServerFile(serverPath);
    writeServerFile(serverPath, {
      ...passwords,
      port: port ?? ((await isPortFree(remembered)) ? remembered : await findFreePort()),
    });
    await startServer(account, places, readServerFile(serverPath), settings);
  }
  const server = await withServiceRole(readServerFile(serverPath));
  writeServerFile(serverPath, server);
  logger.info(
    { port: server.port, adopted },
    adopted
      ? 'embedded PostgreSQL was still running and is used on'
      : 'embedded PostgreSQL started',
  );

  return {
    databaseUrl: (name) => serviceUrlOf(server, name),
    ownerUrl: (name) => ownerUrlOf(server, name),
    adminUrl: ownerUrlOf(server, 'postgres'),
    adopted,
    stop: async () => {
      await stopServer(account, places);
      logger.info('embedded PostgreSQL stopped');
    },
  };
}

/** Whether the folder already holds a cluster, running or not. */
export function hasEmbeddedCluster(dataDir: string): boolean {
  const cluster = join(resolve(dataDir), 'postgres');
  return (
    existsSync(join(cluster, 'PG_VERSION')) || existsSync(join(cluster, 'cluster', 'PG_VERSION'))
  );
}

/** True when it was made now. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<boolean> {
  return withClient(adminUrl, 'embedded', async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 1) return false;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    return true;
  });
}

/** Made beside its place and moved there whole, so that a killed initdb leaves nothing that looks like a cluster. */
async function createCluster(
  account: PostgresAccount,
  places: PostgresPlaces,
  server: ServerFile,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const entry of readdirSync(places.nursery)) {
    if (entry.startsWith('initdb-'))
      rmSync(join(places.nursery, entry), { recursive: true, force: true });
  }
  const nursery = mkdtempSync(join(places.nursery, 'initdb-'));
  giveTo(account, nursery);
  const passwordPath = join(nursery, 'password');
  writeFileSync(passwordPath, server.password, { mode: 0o600 });
  giveTo(account, passwordPath);
  const unfinished = join(nursery, 'cluster');
  const { code, output } = await runAs(account, join(places.binaries, 'bin', 'initdb'), [
    `--pgdata=${unfinished}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordPath}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(settings['fsync'] === 'off' ? ['--no-sync'] : []),
  ]);
  if (code !== 0) throw new Error(`initdb failed: ${output}`);
  writeFileSync(join(unfinished, 'postgresql.conf'), "\ninclude 'registry.conf'\n", { flag: 'a' });
  renameSync(unfinished, places.cluster);
  rmSync(nursery, { recursive: true, force: true });
}

async function startServer(
  account: PostgresAccount,
  places: PostgresPlaces,
  server: ServerFile,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const confPath = join(places.cluster, 'registry.conf');
  const lines = Object.entries({ ...SETTINGS, ...settings, port: String(server.port) }).map(
    ([name, value]) => `${name} = ${value}`,
  );
  writeFileSync(confPath, `${lines.join('\n')}\n`);
  giveTo(account, confPath);
  const logPath = join(places.cluster, 'server.log');
  if ((statSync(logPath, { throwIfNoEntry: false })?.size ?? 0) > SERVER_LOG_BYTES_MAX)
    truncateSync(logPath);

  for (let attempt = 1; ; attempt += 1) {
    const logStart = statSync(logPath, { throwIfNoEntry: false })?.size ?? 0;
    const { code, output } = await pgCtl(account, places, [
      'start',
      '-w',
      '-t',
      String(START_SECONDS_MAX),
      '-l',
      logPath,
    ]);
    if (code === 0) return;
    const log = existsSync(logPath) ? readFileSync(logPath).subarray(logStart).toString() : '';
    if (!HELD_A_MOMENT.test(log) || attempt >= START_ATTEMPTS_MAX)
      throw new Error(`embedded PostgreSQL did not start: ${output}\n${log.trim()}`);
    await new Promise((done) => setTimeout(done, RETRY_PAUSE_MS));
  }
}

async function stopServer(account: PostgresAccount, places: PostgresPlaces): Promise<void> {
  const fast = await pgCtl(account, places, [
    'stop',
    '-m',
    'fast',
    '-w',
    '-t',
    String(STOP_SECONDS_MAX),
  ]);
  if (fast.code === 0 || !(await isRunning(account, places))) return;
  const immediate = await pgCtl(account, places, [
    'stop',
    '-m',
    'immediate',
    '-w',
    '-t',
    String(STOP_SECONDS_MAX),
  ]);
  if (immediate.code !== 0)
    throw new Error(`embedded PostgreSQL did not stop: ${immediate.output}`);
}

/** A postmaster of this very cluster that accepts our password. A pid file that names a dead or foreign process is removed. */
async function findRunning(
  account: PostgresAccount,
  places: PostgresPlaces,
  server: ServerFile,
): Promise<boolean> {
  const pidPath = join(places.cluster, 'postmaster.pid');
  if (!existsSync(pidPath)) return false;
  const pid = Number(readFileSync(pidPath, 'utf8').split('\n')[0]);
  if (!(await isRunning(account, places)) || !isPostgres(pid)) {
    rmSync(pidPath, { force: true });
    return false;
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const served = await withClient(
        ownerUrlOf(server, 'postgres'),
        'embedded',
        async (client) => {
          const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
          return rows[0]?.data_directory;
        },
      );
      if (served !== undefined && realpathSync(served) === realpathSync(places.cluster))
        return true;
      throw new Error(`port ${server.port} serves another cluster`);
    } catch (error) {
      if (attempt < START_ATTEMPTS_MAX) {
        await new Promise((done) => setTimeout(done, RETRY_PAUSE_MS));
        continue;
      }
      throw new Error(
        `process ${pid} holds the database under ${places.cluster} but can't be used: stop it and start again`,
        { cause: error },
      );
    }
  }
}

async function isRunning(account: PostgresAccount, places: PostgresPlaces): Promise<boolean> {
  return (await pgCtl(account, places, ['status'])).code === 0;
}

function pgCtl(account: PostgresAccount, places: PostgresPlaces, args: readonly string[]) {
  return runAs(account, join(places.binaries, 'bin', 'pg_ctl'), [...args, '-D', places.cluster]);
}
