import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { UsageError } from '../exit-codes.ts';
import { readCertificates } from './certificate-rows.ts';
import { readTable } from './read-table.ts';
import { type Encoding, readLines } from './read-text.ts';

/** A certificate of the file. */
export interface BatchItem {
  readonly body: TransmissionBody;
  /** Its first line, or its first row in a sheet, counted from 1. */
  readonly line: number;
  /** The cells of its rows; undefined for a line of NDJSON. */
  readonly rows?: readonly (readonly string[])[];
}

export type BatchSource = () => AsyncGenerator<BatchItem>;

/**
 * Reads a file named .csv, .tsv, .txt or .xlsx as a table, and any other as one JSON transmission per line. Each call reads
 * the file again. Throws UsageError with the line.
 */
export function makeBatchSource(file: string, encoding: Encoding = 'utf-8'): BatchSource {
  return () => asUsageErrors(file, readItems(file, encoding));
}

export function isTable(file: string): boolean {
  return /\.(csv|tsv|txt|xlsx)$/i.test(file);
}

function readItems(file: string, encoding: Encoding): AsyncGenerator<BatchItem> {
  return isTable(file)
    ? readCertificates(readTable(file, encoding))
    : readJsonLines(file, encoding);
}

async function* readJsonLines(file: string, encoding: Encoding): AsyncGenerator<BatchItem> {
  let number = 0;
  for await (const line of readLines(file, encoding)) {
    number += 1;
    if (line.trim() !== '') yield { body: parseLine(line, number), line: number };
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
  if (typeof id === 'string') return withoutError(body as TransmissionBody & { error?: unknown });
  throw new UsageError(
    `Line ${number} has no externalTransactionId, without which the batch cannot be resumed.`,
  );
}

/** `batch retry --failed-only` adds a member that describes the refusal. */
function withoutError(sent: TransmissionBody & { error?: unknown }): TransmissionBody {
  const { error: _, ...body } = sent;
  return body;
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

/** Errors of the operating system and of the CSV parser have a code. */
function hasCode(error: unknown): error is { readonly code: unknown; readonly message: string } {
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
}
