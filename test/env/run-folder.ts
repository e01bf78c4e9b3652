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
/** Several times what the servers of a test run keep at once. */
const MEMORY_BYTES_MIN = 1_024 ** 3;

/**
 * A folder for the servers of one run, under the system's temporary folder; or in memory, where the machine has it to spare, for what
 * makes and removes many files and needs no disk. What killed runs left behind is stopped and removed.
 */
export function makeRunFolder({ inMemory = false } = {}): string {
  for (const parent of [tmpdir(), MEMORY].filter((place) => existsSync(place))) {
    for (const entry of readdirSync(parent)) {
      if (entry.startsWith(PREFIX)) removeIfAbandoned(join(parent, entry));
    }
  }
  const folder = mkdtempSync(join(inMemory && isMemoryToSpare() ? MEMORY : tmpdir(), PREFIX));
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

function isMemoryToSpare(): boolean {
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
