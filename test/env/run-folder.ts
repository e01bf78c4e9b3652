import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'transmission-registry-test-';
const SERVER_PIDS = [
  'postgres/postmaster.pid',
  'postgres/cluster/postmaster.pid',
  'redis/redis.pid',
];

/** A folder for the servers of one test run, under the system's temporary folder. What killed runs left behind is stopped and removed. */
export function makeRunFolder(): string {
  for (const entry of readdirSync(tmpdir())) {
    if (entry.startsWith(PREFIX)) removeIfAbandoned(join(tmpdir(), entry));
  }
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // The database may run under another account, which must be able to enter.
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'owner'), String(process.pid));
  return folder;
}

export function removeRunFolder(folder: string): void {
  const cluster = join(folder, 'postgres');
  if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

function removeIfAbandoned(folder: string): void {
  const owner = readPid(join(folder, 'owner'));
  if (owner === undefined || isAlive(owner)) return;
  for (const file of SERVER_PIDS) {
    const pid = readPid(join(folder, file));
    if (pid !== undefined && isServer(pid)) process.kill(pid, 'SIGKILL');
  }
  removeRunFolder(folder);
}

/** Undefined when there is no such file, or it belongs to another account. */
function readPid(path: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isInteger(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The number may have gone to another program since. */
function isServer(pid: number): boolean {
  try {
    return /postgres|redis-server/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
