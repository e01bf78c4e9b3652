import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from '../../exit-codes.ts';
import type { JournalLine } from './journal-lines.ts';
import { applyLine, type JournalState, readJournal } from './read-journal.ts';

const SYNC_INTERVAL_MS = 1_000;

/** The progress of a batch, in a file that survives the end of the program (D42). */
export interface Journal {
  readonly file: string;
  /** Follows every appended line. */
  readonly state: JournalState;
  /** The lines are on the disk at most a second later. What a power failure loses is sent again, which the registry answers as a replay. */
  append(...appended: readonly JournalLine[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens or creates a journal that no other process uses. Throws UsageError. */
export async function openJournal(file: string): Promise<Journal> {
  const unlock = lock(file);
  try {
    const state = await readJournal(file);
    const handle = await open(file, 'a+');
    await endLastLine(handle);
    return makeJournal(file, state, handle, unlock);
  } catch (error) {
    unlock();
    throw new UsageError(`${file} cannot be used as a journal: ${messageOf(error)}.`);
  }
}

function makeJournal(
  file: string,
  state: JournalState,
  handle: FileHandle,
  unlock: () => void,
): Journal {
  let isSynced = true;
  async function sync(): Promise<void> {
    if (isSynced) return;
    isSynced = true;
    await handle.datasync();
  }
  // Lines are written in order, because the last line of an id wins. Those that come during a write are written together.
  let lines: string[] = [];
  let next: Promise<void> | undefined;
  let writing = Promise.resolve();
  async function writeLines(): Promise<void> {
    const text = lines.join('');
    lines = [];
    next = undefined;
    await handle.appendFile(text);
    isSynced = false;
  }
  let syncing = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  const timer = setInterval(() => {
    syncing = syncing.then(sync).catch((error: unknown) => {
      failure = { error };
    });
  }, SYNC_INTERVAL_MS);
  return {
    file,
    state,
    async append(...appended) {
      if (failure !== undefined) throw failure.error;
      for (const line of appended) {
        applyLine(state, line);
        lines.push(`${JSON.stringify(line)}\n`);
      }
      if (next === undefined) {
        next = writing.then(writeLines);
        writing = next.catch(() => undefined);
      }
      await next;
    },
    async close() {
      clearInterval(timer);
      await writing;
      await syncing;
      try {
        await sync();
        await handle.close();
      } finally {
        unlock();
      }
    },
  };
}

/** A lock of a process that has ended is taken over. */
function lock(file: string): () => void {
  const lockFile = `${file}.lock`;
  for (const isLastTry of [false, true]) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
      return () => rmSync(lockFile, { force: true });
    } catch (error) {
      if (!isExisting(error)) {
        throw new UsageError(`${file} cannot be used as a journal: ${messageOf(error)}.`);
      }
      const owner = Number(readFileSync(lockFile, 'utf8'));
      if (isLastTry || isRunning(owner)) {
        throw new UsageError(
          `${file} is in use by another run of the command (process ${owner}). If there is none, delete ${lockFile}.`,
        );
      }
      rmSync(lockFile, { force: true });
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

async function endLastLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer.toString() !== '\n') await handle.appendFile('\n');
}

function isExisting(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
