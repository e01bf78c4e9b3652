import type { TransmissionBody } from '../../shared/contract/machine/transmission.ts';
import { readCertificateRows } from './certificate-rows.ts';
import { UsageError } from './exit-codes.ts';
import { readLines } from './read-text.ts';

export type BatchSource = () => AsyncGenerator<TransmissionBody>;

/** A CSV file by its name, else one JSON transmission a line. Each call reads the file anew. Throws UsageError with the line. */
export function makeBatchSource(file: string): BatchSource {
  const read = file.toLowerCase().endsWith('.csv') ? readCertificateRows : readJsonLines;
  return () => asUsageErrors(file, read(file));
}

async function* readJsonLines(file: string): AsyncGenerator<TransmissionBody> {
  let number = 0;
  for await (const line of readLines(file)) {
    number += 1;
    if (line.trim() !== '') yield parseLine(line, number);
  }
}

function parseLine(line: string, number: number): TransmissionBody {
  let body: unknown;
  try {
    body = JSON.parse(line);
  } catch (error) {
    throw new UsageError(
      `Line ${number} is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  const id =
    typeof body === 'object' && body !== null && 'externalTransactionId' in body
      ? body.externalTransactionId
      : undefined;
  if (typeof id === 'string') return body as TransmissionBody;
  throw new UsageError(
    `Line ${number} has no externalTransactionId: without it the batch could not be resumed.`,
  );
}

async function* asUsageErrors<Item>(
  file: string,
  items: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${file}: ${error.message}`);
    if (hasCode(error)) throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}

/** Of the system, which cannot read the file, or of the reader of CSV. */
function hasCode(error: unknown): error is { readonly code: unknown; readonly message: string } {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}
