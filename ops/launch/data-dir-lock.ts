import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../shared/platform/logger.ts';

export interface DataDirLock {
  /** Records a process of this system, so that the next start finds it if this system is killed. */
  note(pid: number, isRunning: boolean): void;
  release(): void;
}

/** `birth` is the start time: it distinguishes a process from a later one with the same pid. */
const Process = z.object({ pid: z.number().int(), birth: z.string() });
const LockFile = z.object({ owner: Process, children: z.array(Process) });
type LockFile = z.infer<typeof LockFile>;

const POLL_INTERVAL_MS = 100;

/**
 * Locks a DATA_DIR for one system: throws when another one is running. Processes that a killed system left behind get SIGTERM,
 * and SIGKILL after `graceMs`.
 */
export async function lockDataDir(
  dataDir: string,
  { logger, graceMs }: { readonly logger: Logger; readonly graceMs: number },
): Promise<DataDirLock> {
  const folder = resolve(dataDir);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'system.json');
  const previous = readLock(path);
  if (previous !== undefined) {
    if (previous.owner.pid !== process.pid && isSame(previous.owner)) {
      throw new Error(
        `process ${previous.owner.pid} already runs a registry on ${folder}: stop it, or set DATA_DIR to another folder`,
      );
    }
    await endLeftovers(previous.children, logger, graceMs);
    rmSync(path, { force: true });
  }
  const lock: LockFile = {
    owner: { pid: process.pid, birth: birthOf(process.pid) ?? '' },
    children: [],
  };
  claim(path, lock);
  return {
    note: (pid, isRunning) => {
      lock.children = lock.children.filter((child) => child.pid !== pid);
      if (isRunning) lock.children.push({ pid, birth: birthOf(pid) ?? '' });
      writeFileSync(`${path}.new`, JSON.stringify(lock));
      renameSync(`${path}.new`, path);
    },
    release: () => rmSync(path, { force: true }),
  };
}

/** Creates the file exclusively: if two systems start at the same time, one of them fails here. */
function claim(path: string, lock: LockFile): void {
  try {
    writeFileSync(path, JSON.stringify(lock), { flag: 'wx' });
  } catch (error) {
    throw new Error(`another registry is starting in the same folder (${path})`, {
      cause: error,
    });
  }
}

function readLock(path: string): LockFile | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return LockFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // A crash truncated the file. The database server has its own lock.
    return { owner: { pid: 0, birth: '' }, children: [] };
  }
}

async function endLeftovers(
  children: readonly z.infer<typeof Process>[],
  logger: Logger,
  graceMs: number,
): Promise<void> {
  const endsAt = Date.now() + graceMs;
  for (const child of children.filter(isSame)) {
    logger.warn({ pid: child.pid }, 'waiting for a process that a killed system left behind');
    process.kill(child.pid, 'SIGTERM');
    while (isSame(child) && Date.now() < endsAt)
      await new Promise((done) => setTimeout(done, POLL_INTERVAL_MS));
    if (isSame(child)) process.kill(child.pid, 'SIGKILL');
  }
}

function isSame({ pid, birth }: z.infer<typeof Process>): boolean {
  return pid > 0 && birthOf(pid) === birth;
}

/** Undefined when there is no such process. Without /proc, processes with the same pid cannot be distinguished. */
function birthOf(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) return birthFromProc(pid);
  try {
    process.kill(pid, 0);
    return '';
  } catch {
    return undefined;
  }
}

function birthFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain any character. After it, the state is field 1 and the start time field 20.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
