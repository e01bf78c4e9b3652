import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../../ops/embedded-postgres/free-port.ts';
import { findPostgresAccount } from '../../../ops/embedded-postgres/system-account.ts';
import { findServerBinary } from './debian-packages.ts';

export interface PgBouncer {
  /** The database through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a PgBouncer in front of a database; `settings` are lines of its section [pgbouncer]. */
export async function startPgBouncer(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<PgBouncer> {
  const { path, libraries } = findServerBinary({
    name: 'pgbouncer',
    path: 'usr/sbin/pgbouncer',
    packages: ['pgbouncer'],
    dependencies: /^(libevent|libc-ares)/,
    remedy: 'The tests need a PgBouncer: install pgbouncer so that it is on the PATH.',
  });
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  // As root it switches to another account, which must be able to read the configuration.
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  writeFileSync(join(folder, 'pgbouncer.ini'), configuration(new URL(databaseUrl), port, settings));
  const child = spawn(path, [join(folder, 'pgbouncer.ini')], {
    env: { LD_LIBRARY_PATH: libraries.join(':') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const url = new URL(databaseUrl);
  url.port = String(port);
  await untilUp(child);
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(
  database: URL,
  port: number,
  settings: Readonly<Record<string, string>>,
): string {
  const { hostname, username, password, pathname } = database;
  const { name, ids } = findPostgresAccount();
  const lines = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    ...(ids === undefined ? {} : { user: name }),
    ...settings,
  };
  return [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${database.port} user=${username} password=${password}`,
    '[pgbouncer]',
    ...Object.entries(lines).map(([setting, value]) => `${setting} = ${value}`),
    '',
  ].join('\n');
}

function untilUp(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes('process up')) resolve();
    });
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`PgBouncer did not start: ${log}`)));
  });
}
