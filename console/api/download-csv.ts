import { addressOf, readAnswer, send } from './call.ts';
import type { ReadName, RequestOf } from './contract.ts';
import { readEnd } from './export-end.ts';
import { ACTIVITY, sessionEvents } from './session-events.ts';

/** More bytes than the last line has. */
const END_BYTES = 200;
/** Browsers read the file after the click. */
const KEEP_MS = 60_000;

/** An export that does not have all rows: by the limit, or by a broken connection. */
class IncompleteExport extends Error {
  override readonly name = 'IncompleteExport';
}

/**
 * Reads a list as CSV, all pages of it, and saves it as a file of the user. The browser keeps the file outside the memory of the
 * page, on disk where it is large. Returns how many rows it has.
 * @throws {ApiError} when it is refused, {Unreachable} without an answer, {IncompleteExport} when rows are missing
 */
export async function downloadCsv<Name extends ReadName>(
  name: Name,
  request: RequestOf<Name>,
  fileName: string,
  signal?: AbortSignal,
): Promise<number> {
  const response = await send(addressOf(name, request), {
    method: 'GET',
    headers: { Accept: 'text/csv' },
    ...(signal === undefined ? {} : { signal }),
  });
  // A refusal is no file: this throws it.
  if (!response.ok) await readAnswer(name, response, false);
  sessionEvents.dispatchEvent(new Event(ACTIVITY));
  const file = await response.blob().catch((error: unknown) => {
    throw signal?.aborted ? error : cutOff();
  });
  const end = readEnd(await file.slice(-END_BYTES).text());
  if (end === undefined) throw cutOff();
  save(file, fileName);
  if (!end.isComplete)
    throw new IncompleteExport(
      `The file was saved with ${end.rows.toLocaleString('en')} rows, the most that one export may have. More rows match: narrow the filters.`,
    );
  return end.rows;
}

function cutOff(): IncompleteExport {
  return new IncompleteExport('The export was cut off before its last row. Nothing was saved.');
}

function save(file: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}
