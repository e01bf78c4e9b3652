import type { Region } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import type { ReferenceRow, RowFlaw } from '../../domain/reference-row.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import { FenceLost } from '../registry/commit/read-set.ts';
import { chunkPlace } from './imports.ts';

// The moves of an import in progress, by the worker that holds it. Leases, pauses and sweeps go by the database's clock.

/** An import in the hands of one worker. A writer whose `fence` is no longer the row's changes nothing. */
export interface ClaimedImport {
  readonly id: string;
  readonly fence: number;
  readonly failures: number;
  readonly fileBytes: number;
  readonly requestId: string;
}

/** The import that comes next; what a wake-up names. */
export interface NextImport {
  readonly id: string;
  readonly requestId: string;
}

const IS_IN_PROGRESS = Prisma.sql`status IN ('QUEUED', 'RUNNING')`;

/** An import that was taken so often without an end or an error kills its workers; it is taken no more and fails. */
export const IMPORT_ATTEMPTS_MAX = 10;

/**
 * Takes the import with a new fencing number, nothing of it read. Undefined when another worker holds it, it is not due, over, or
 * an earlier one is in progress: files are imported in their order, so that the later one is what stays.
 */
export async function claimImport(
  db: Db,
  id: string,
  { leaseSeconds, now }: { readonly leaseSeconds: number; readonly now: Date },
): Promise<ClaimedImport | undefined> {
  const [taken] = await db.$queryRaw<ClaimedImport[]>`
    WITH chosen AS (
      SELECT id FROM reference_imports i
      WHERE id = ${id}::uuid AND ${IS_IN_PROGRESS} AND due_at <= now() AND attempts < ${IMPORT_ATTEMPTS_MAX}
        AND NOT EXISTS (
          SELECT FROM reference_imports earlier
          WHERE earlier.sequence < i.sequence AND earlier.status IN ('QUEUED', 'RUNNING'))
      FOR UPDATE SKIP LOCKED
    )
    UPDATE reference_imports i SET status = 'RUNNING', fence = fence + 1, attempts = attempts + 1,
      started_at = coalesce(started_at, ${now}::timestamptz), bytes_read = 0, rows_read = 0, error_count = 0,
      due_at = now() + make_interval(secs => ${leaseSeconds}), sweep_at = now() + make_interval(secs => ${leaseSeconds})
    FROM chosen WHERE i.id = chosen.id
    RETURNING i.id::text, i.fence, i.failures, i.file_bytes AS "fileBytes", i.request_id AS "requestId"`;
  if (taken === undefined) return undefined;
  await db.$executeRaw`
    DELETE FROM reference_import_rows WHERE import_id = ${id}::uuid AND fence < ${taken.fence}`;
  await db.$executeRaw`
    DELETE FROM reference_import_errors WHERE import_id = ${id}::uuid AND fence < ${taken.fence}`;
  return taken;
}

/** The file, chunk by chunk. Throws when it is not whole, and SealError when it was sealed under a lost key. */
export async function* readChunks(
  db: Db,
  keyring: Keyring,
  { id, fileBytes }: Pick<ClaimedImport, 'id' | 'fileBytes'>,
): AsyncGenerator<Buffer> {
  for (let ordinal = 0, bytes = 0; bytes < fileBytes; ordinal += 1) {
    const [row] = await db.$queryRaw<{ sealed: Uint8Array }[]>`
      SELECT sealed FROM reference_import_chunks WHERE import_id = ${id}::uuid AND ordinal = ${ordinal}`;
    if (row === undefined) throw new Error('a chunk of the stored file is missing');
    const chunk = keyring.open(Buffer.from(row.sealed), chunkPlace(id, ordinal));
    bytes += chunk.length;
    yield chunk;
  }
}

/** A line that names a region, and so is kept until the end. */
export interface StagedRow extends Pick<ReferenceRow, 'identifiers'> {
  readonly line: number;
  readonly region: Region;
}

export interface FoundError extends RowFlaw {
  readonly line: number;
  /** Counts the errors that are kept, from 0. */
  readonly position: number;
  readonly region: Region | null;
}

export interface Progress {
  readonly bytesRead: number;
  readonly rowsRead: number;
  readonly errorCount: number;
}

/** Keeps what was read since the last time, tells how far it is, and holds on to the import. @throws FenceLost */
export async function stageRows(
  db: Db,
  { id, fence }: ClaimedImport,
  { bytesRead, rowsRead, errorCount }: Progress,
  rows: readonly StagedRow[],
  errors: readonly FoundError[],
  leaseSeconds: number,
): Promise<void> {
  const staged = JSON.stringify(
    rows.map(({ line, region, identifiers }) => ({ line, region, ...identifiers })),
  );
  const [written] = await db.$queryRaw<{ held: number }[]>`
    WITH held AS (
      UPDATE reference_imports SET bytes_read = ${bytesRead}, rows_read = ${rowsRead}, error_count = ${errorCount},
        due_at = now() + make_interval(secs => ${leaseSeconds}),
        sweep_at = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ${id}::uuid AND fence = ${fence} AND status = 'RUNNING' RETURNING id
    ), new_rows AS (
      INSERT INTO reference_import_rows (import_id, fence, line, region, plate_number, mv_file_number, engine_number,
        chassis_number)
      SELECT held.id, ${fence}, line, region, "plateNumber", "mvFileNumber", "engineNumber", "chassisNumber"
      FROM held, jsonb_to_recordset(${staged}::jsonb) AS r (line int, region text, "plateNumber" text,
        "mvFileNumber" text, "engineNumber" text, "chassisNumber" text)
    ), new_errors AS (
      INSERT INTO reference_import_errors (import_id, fence, line, position, region, field, code, message)
      SELECT held.id, ${fence}, line, position, region, field, code, message
      FROM held, jsonb_to_recordset(${JSON.stringify(errors)}::jsonb) AS e (line int, position int, region text,
        field text, code text, message text)
    )
    SELECT count(*)::int AS held FROM held`;
  if (written?.held !== 1) throw new FenceLost();
}
