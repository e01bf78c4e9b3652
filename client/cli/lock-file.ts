import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { UsageError } from './exit-codes.ts';

/**
 * Keeps other runs of the command away from a file, and returns what ends that. A lock of a process that has ended is taken over,
 * also one with this process's own id: in a container, the next run often has the same one. Throws UsageError.
 */
export function lockFile(file: string): () => void {
  const lock = `${file}.lock`;
  for (const isLastTry of [false, true]) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if (!isExisting(error)) {
        throw new UsageError(
          `${file} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
        );
      }
      const owner = Number(readFileSync(lock, 'utf8'));
      if (isLastTry || (owner !== process.pid && isRunning(owner))) {
        throw new UsageError(
          `${file} is in use by another run of the command (process ${owner}). If there is none, delete ${lock}.`,
        );
      }
      rmSync(lock, { force: true });
    }
  }
  throw new UsageError(`${file} cannot be locked.`);
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, but runs.
    return codeOf(error) === 'EPERM';
  }
}

function isExisting(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
