import { CSRF_HEADER, ENDPOINTS } from 'virtual:contract';
import { addressOf, readAnswer, send } from './call.ts';
import type { DataOf } from './contract.ts';

const NAME = 'importReference';

/**
 * Uploads a file of reference data. The browser streams it from the disk, so its size does not matter to this page.
 * @throws {ApiError} when it is refused, {Unreachable} without an answer
 */
export async function uploadReference(
  file: File,
  signal: AbortSignal,
): Promise<DataOf<typeof NAME>> {
  const response = await send(addressOf(NAME, {}), {
    method: ENDPOINTS[NAME].method,
    // The type that the browser gives a file depends on the programs of its computer.
    headers: { [CSRF_HEADER]: '1', 'Content-Type': 'text/csv' },
    body: file,
    signal,
  });
  return readAnswer(NAME, response, false);
}
