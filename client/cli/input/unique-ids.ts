import { UsageError } from '../exit-codes.ts';
import type { BatchItem, BatchSource } from './batch-source.ts';

/**
 * The certificates of a file. Throws UsageError at the second one with the same id, of which the registry would take only one, and
 * when there is none: an export that failed must not look like a batch that is done.
 */
export async function* requireUniqueIds(
  file: string,
  source: BatchSource,
): AsyncGenerator<BatchItem> {
  const ids = new Set<string>();
  for await (const item of source()) {
    const id = item.body.externalTransactionId;
    if (ids.has(id)) {
      throw new UsageError(
        `${file}: Line ${item.line}: an earlier line has the same externalTransactionId ${id}. Remove one of them, or give it another id.`,
      );
    }
    ids.add(id);
    yield item;
  }
  if (ids.size === 0) throw new UsageError(`${file}: The file has no certificates.`);
}
