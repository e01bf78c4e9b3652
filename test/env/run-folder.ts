import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
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

const MEMORY = '/dev/shm';
/** Several times the space that the servers of a test run need. */
const MEMORY_BYTES_MIN = 1_024 ** 3;

/**
 * Makes a folder for the servers of a run, in the system's temporary folder, or in memory if `inMemory` is true and the machine has enough
 * of it. Memory is faster for many small files. Stops the servers of earlier killed runs and removes their folders.
 */
export function makeRunFolder({ inMemory = false } = {}): string {
  for (const parent of [tmpdir(), MEMORY].filter((place) => existsSync(place))) {
    for (const entry of readdirSync(parent)) {
      if (entry.startsWith(PREFIX)) removeIfAbandoned(join(parent, entry));
    }
  }
  const folder = mkdtempSync(join(inMemory && hasEnoughMemory() ? MEMORY : tmpdir(), PREFIX));
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

function hasEnoughMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES_MIN;
  } catch {
    return false;
  }
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

/** Undefined when the file does not exist or belongs to another account. */
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

/** Another program may have the pid by now. */
function isServer(pid: number): boolean {
  try {
    return /postgres|redis-server/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
