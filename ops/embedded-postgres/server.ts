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
  /** Default: a free port, which is kept for later starts while it stays free. */
  readonly port?: number;
  /** Settings of postgresql.conf that override the built-in ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** For the role of the service, which has only the privileges granted to it. */
  databaseUrl(name: string): string;
  /** For the superuser, who owns the objects that migrations create. */
  ownerUrl(name: string): string;
  /** For the superuser, to the maintenance database of the same server. */
  readonly adminUrl: string;
  /** Whether an earlier process had left the server running. */
  readonly adopted: boolean;
  /** Ends sessions and writes a checkpoint. Also stops an adopted server. */
  stop(): Promise<void>;
}

/** Temporary errors after a postmaster was killed: its backends soon notice and release its memory. */
const STILL_RELEASING = /pre-existing shared memory block|lock file "[^"]*" already exists/;
const START_ATTEMPTS_MAX = 5;
const START_SECONDS_MAX = 60;
const STOP_SECONDS_MAX = 30;
const RETRY_PAUSE_MS = 1_000;
const SERVER_LOG_BYTES_MAX = 10 * 1_024 * 1_024;

/** fsync stays on. No part of a statement or a row is written to the server's log (D22). */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "'127.0.0.1'",
  unix_socket_directories: "''",
  max_connections: '200',
  // Plans without statistics are slow, so autovacuum must keep up with a new registry that grows fast.
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

/** Starts or adopts the PostgreSQL server under `dataDir/postgres`, on 127.0.0.1 only. Callers must ensure that only one process at a time does so per folder. */
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
      'the database account cannot enter DATA_DIR or the installation; its files are in another folder',
    );
  }
  const serverPath = join(folder, 'postgres-server.json');
  if (!existsSync(join(places.cluster, 'PG_VERSION'))) {
    writeServerFile(serverPath, {
      port: port ?? (await findFreePort()),
      password: makeServerPassword(),
    });
    await createCluster(account, places, readServerFile(serverPath), settings);
    logger.info('embedded PostgreSQL: new cluster created');
  }

  const adopted = await findRunning(account, places, readServerFile(serverPath));
  if (!adopted) {
    const { port: earlierPort, ...passwords } = readServerFile(serverPath);
    writeServerFile(serverPath, {
      ...passwords,
      port: port ?? ((await isPortFree(earlierPort)) ? earlierPort : await findFreePort()),
    });
    await startServer(account, places, readServerFile(serverPath), settings);
  }
  const server = await withServiceRole(readServerFile(serverPath));
  writeServerFile(serverPath, server);
  logger.info(
    { port: server.port, adopted },
    adopted
      ? 'embedded PostgreSQL was still running and has been adopted'
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

/** Whether the folder contains a cluster, running or not. */
export function hasEmbeddedCluster(dataDir: string): boolean {
  const cluster = join(resolve(dataDir), 'postgres');
  return (
    existsSync(join(cluster, 'PG_VERSION')) || existsSync(join(cluster, 'cluster', 'PG_VERSION'))
  );
}

/** Creates the database if it does not exist. Returns true if it was created. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<boolean> {
  return withClient(adminUrl, 'embedded', async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 1) return false;
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
    return true;
  });
}

/** Creates the cluster in a temporary folder and then moves it, so that a killed initdb leaves nothing that looks like a cluster. */
async function createCluster(
  account: PostgresAccount,
  places: PostgresPlaces,
  server: ServerFile,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const entry of readdirSync(places.initFolder)) {
    if (entry.startsWith('initdb-'))
      rmSync(join(places.initFolder, entry), { recursive: true, force: true });
  }
  const temporary = mkdtempSync(join(places.initFolder, 'initdb-'));
  giveTo(account, temporary);
  const passwordPath = join(temporary, 'password');
  writeFileSync(passwordPath, server.password, { mode: 0o600 });
  giveTo(account, passwordPath);
  const unfinished = join(temporary, 'cluster');
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
  rmSync(temporary, { recursive: true, force: true });
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
    if (!STILL_RELEASING.test(log) || attempt >= START_ATTEMPTS_MAX)
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

/** Whether a postmaster of this cluster is running that accepts our password. Removes a pid file of a dead or unrelated process. */
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
        `process ${pid} runs the database under ${places.cluster} but can't be used: stop it and start again`,
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
