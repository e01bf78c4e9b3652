import { existsSync } from 'node:fs';
import { type FileHandle, open, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHANGES_LIMIT_MAX } from '../../shared/contract/machine/changes.ts';
import type { RegistryClient } from '../registry-client.ts';
import { EXIT_CODES, UsageError } from './exit-codes.ts';
import { readRawLines } from './input/read-text.ts';
import { lockFile } from './lock-file.ts';
import type { Console } from './report.ts';
import { RequestRefused, requireData } from './require-data.ts';

const WAIT_SECONDS = 30;
const PAUSE_MIN_MS = 500;

export interface MirrorOptions {
  readonly types?: string | undefined;
  /** Adds the summary of its record to each change. */
  readonly withRecords: boolean;
  /** End when there are no more changes, instead of waiting for them. */
  readonly isOnce: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Appends every change of the feed to an NDJSON file, in the order of the feed, and continues after the last complete line of
 * the file. Each page is on the disk before the next one is read. Returns the exit code.
 */
export async function mirror(
  console: Console,
  client: RegistryClient,
  file: string,
  options: MirrorOptions,
): Promise<number> {
  const unlock = lockFile(file);
  try {
    return await follow(console, client, file, options);
  } catch (error) {
    if (isUnknownCursor(error))
      console.message(`Move ${file} away and run the command again, to begin a new mirror.`);
    throw error;
  } finally {
    unlock();
  }
}

async function follow(
  console: Console,
  client: RegistryClient,
  file: string,
  { types, withRecords, isOnce, signal }: MirrorOptions,
): Promise<number> {
  let after = await findLastCursor(file);
  console.message(after === undefined ? 'From the beginning.' : `Continues ${file}.`);
  const handle = await open(file, 'a');
  let count = 0;
  try {
    while (!signal?.aborted) {
      const query = {
        ...(after !== undefined && { after }),
        ...(types !== undefined && { types }),
        ...(withRecords && { include: 'record' as const }),
        limit: CHANGES_LIMIT_MAX,
      };
      const waitSeconds = isOnce ? 0 : WAIT_SECONDS;
      const askedAtMs = Date.now();
      const page = requireData(await client.readChanges(query, { waitSeconds, signal }));
      await append(handle, page.items);
      count += page.items.length;
      after = page.next;
      if (isOnce && page.caughtUp) break;
      // Prevents a tight loop when the registry answers at once instead of waiting.
      if (page.caughtUp && Date.now() - askedAtMs < PAUSE_MIN_MS) {
        await sleep(PAUSE_MIN_MS, undefined, { signal });
      }
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    await handle.close();
    console.message(`${count} changes appended to ${file}.`);
  }
  return signal?.aborted ? EXIT_CODES.interrupted : EXIT_CODES.done;
}

function isUnknownCursor(error: unknown): boolean {
  const details = error instanceof RequestRefused ? error.outcome.error?.details : undefined;
  return details?.some(({ code }) => code === 'CURSOR_UNKNOWN') ?? false;
}

async function append(handle: FileHandle, items: readonly object[]): Promise<void> {
  if (items.length === 0) return;
  await handle.appendFile(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  await handle.datasync();
}

/** The cursor of the last complete line; undefined for a new file. Removes what an interruption left behind it. */
async function findLastCursor(file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const { size } = await stat(file);
  if (size === 0) return undefined;
  let cursor: string | undefined;
  let length = 0;
  for await (const line of readRawLines(file)) {
    const isComplete = length + line.length < size;
    const found = isComplete ? cursorOf(line) : undefined;
    if (found === undefined && cursor === undefined && (isComplete || !mayBeTorn(line))) {
      throw new UsageError(`${file} is not a mirror: its first line has no cursor.`);
    }
    if (found === undefined) break;
    cursor = found;
    length += line.length + 1;
  }
  await truncate(file, length);
  return cursor;
}

/** Whether an interruption may have left this part of a first line. A power failure leaves zero bytes. */
function mayBeTorn(line: Buffer): boolean {
  const start = '{"cursor":';
  return (
    line.every((byte) => byte === 0) ||
    start.startsWith(line.toString('utf8').slice(0, start.length))
  );
}

function cursorOf(line: Buffer): string | undefined {
  try {
    const item: unknown = JSON.parse(line.toString('utf8'));
    if (typeof item !== 'object' || item === null || !('cursor' in item)) return undefined;
    return typeof item.cursor === 'string' ? item.cursor : undefined;
  } catch {
    return undefined;
  }
}
