import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { AppError } from '../../../shared/contract/errors.ts';
import { REFERENCE_COLUMNS } from '../../../shared/contract/staff/reference.ts';
import { readHeading } from '../../../shared/domain/reference-row.ts';
import { type StoredFile, storeChunk } from '../../../shared/store/reference/imports.ts';
import type { ApiContext } from '../../context.ts';

const CHUNK_BYTES = 256 * 1_024;
/** The heading must end within this many characters. */
const HEADING_CHARACTERS_MAX = 1_024;

/**
 * Stores an upload chunk by chunk as it arrives. Once it cannot be a reference file, the rest is read, so that the caller
 * receives the answer, but not stored.
 * @throws {AppError} UNSUPPORTED_FILE when it is empty, not UTF-8, or has another heading or no rows
 */
export async function storeUpload(
  { db, keyring }: Pick<ApiContext, 'db' | 'keyring'>,
  importId: string,
  upload: AsyncIterable<Buffer>,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  const inspection = makeInspection();
  let [fileBytes, ordinal] = [0, 0];
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const flush = async (): Promise<void> => {
    await storeChunk(db, keyring, { importId, ordinal, bytes: Buffer.concat(pending) });
    ordinal += 1;
    pending = [];
    pendingBytes = 0;
  };
  for await (const bytes of upload) {
    inspection.take(bytes);
    if (inspection.flaw() !== undefined) continue;
    hash.update(bytes);
    fileBytes += bytes.length;
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes >= CHUNK_BYTES) await flush();
  }
  inspection.end();
  const flaw = inspection.flaw();
  if (flaw !== undefined) throw new AppError('UNSUPPORTED_FILE', flaw, { message: flaw });
  if (pendingBytes > 0) await flush();
  return { importId, fileBytes, fileSha256: hash.digest() };
}

/** Inspects a file while it arrives. */
interface Inspection {
  take(bytes: Buffer): void;
  end(): void;
  /** A sentence for the caller. Undefined while nothing is wrong. */
  flaw(): string | undefined;
}

function makeInspection(): Inspection {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let head = '';
  let hasHeading = false;
  let hasRows = false;
  let flaw: string | undefined;
  const inspect = (text: string, isEnd: boolean): void => {
    if (hasHeading) {
      hasRows ||= text.trim() !== '';
      return;
    }
    head += text;
    const end = /[\r\n]/.exec(head.trimStart());
    if (end === null && !isEnd && head.length <= HEADING_CHARACTERS_MAX) return;
    const [heading, rest] = splitAt(head.trimStart(), end?.index);
    if (heading === '') flaw = 'The file is empty.';
    else if (!isHeading(heading)) {
      flaw = `The first line must name the columns ${REFERENCE_COLUMNS.join(', ')}, separated by commas.`;
    }
    hasHeading = true;
    hasRows = rest.trim() !== '';
  };
  const decode = (bytes: Buffer | undefined): string | undefined => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      flaw = 'The file is not text in UTF-8.';
      return undefined;
    }
  };
  return {
    take: (bytes) => {
      if (flaw !== undefined) return;
      const text = decode(bytes);
      if (text !== undefined) inspect(text, false);
    },
    end: () => {
      if (flaw !== undefined) return;
      const text = decode(undefined);
      if (text === undefined) return;
      inspect(text, true);
      if (flaw === undefined && !hasRows) flaw = 'The file has no line below its heading.';
    },
    flaw: () => flaw,
  };
}

function splitAt(text: string, at = text.length): [string, string] {
  return [text.slice(0, at), text.slice(at)];
}

function isHeading(line: string): boolean {
  try {
    const [cells = []] = parse(line, { trim: true, relax_column_count: true });
    return readHeading(cells) !== undefined;
  } catch {
    return false;
  }
}
