import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { TransmissionBody } from '../../shared/contract/transmission.ts';
import { readCertificateRows } from './certificate-rows.ts';
import { UsageError } from './exit-codes.ts';

export type BatchSource = () => AsyncGenerator<TransmissionBody>;

/** A CSV file by its name, else one JSON transmission a line. Each call reads the file anew. Throws UsageError with the line. */
export function makeBatchSource(file: string): BatchSource {
  const read = file.toLowerCase().endsWith('.csv') ? readCertificateRows : readJsonLines;
  return () => asUsageErrors(file, read(file));
}

async function* readJsonLines(file: string): AsyncGenerator<TransmissionBody> {
  let number = 0;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Infinity,
  })) {
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
    if (error instanceof Error && 'code' in error)
      throw new UsageError(`${file}: ${error.message}`);
    throw error;
  }
}
