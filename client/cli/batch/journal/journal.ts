import { type FileHandle, open } from 'node:fs/promises';
import { UsageError } from '../../exit-codes.ts';
import { lockFile } from '../../lock-file.ts';
import type { JournalLine } from './journal-lines.ts';
import { applyLine, type JournalState, readJournal } from './read-journal.ts';

const SYNC_INTERVAL_MS = 1_000;
const HEADER_BYTES_MAX = 65_536;

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
  const unlock = lockFile(file);
  try {
    const state = await readJournal(file);
    const handle = await open(file, 'a+');
    if (state.header === undefined && (await hasLine(handle))) {
      await handle.close();
      throw new Error('its first line is no header of a journal');
    }
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

/** What an interruption leaves of a first line is none. */
async function hasLine(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(HEADER_BYTES_MAX),
    0,
    HEADER_BYTES_MAX,
    0,
  );
  return buffer.subarray(0, bytesRead).includes(10);
}

async function endLastLine(handle: FileHandle): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer.toString() !== '\n') await handle.appendFile('\n');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
