import type { Region } from '../../contract/enums.ts';
import type { ImportedRegion, ImportStatus } from '../../contract/staff/reference.ts';
import type { Role } from '../../contract/staff.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import type { ReferenceRow, RowFlaw } from '../../domain/reference-row.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import { FenceLost } from '../registry/commit/read-set.ts';
import { recordAudit } from '../staff/audit.ts';
import type { AuditKeys } from '../staff/audit-seal.ts';
import { chunkPlace } from './imports.ts';

// The moves of an import in progress, by the worker that holds it. Leases, pauses and sweeps go by the database's clock.

/** An import in the hands of one worker. A writer whose `fence` is no longer the row's changes nothing. */
export interface TakenImport {
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
export async function takeImport(
  db: Db,
  id: string,
  { leaseSeconds, now }: { readonly leaseSeconds: number; readonly now: Date },
): Promise<TakenImport | undefined> {
  const [taken] = await db.$queryRaw<TakenImport[]>`
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
  { id, fileBytes }: Pick<TakenImport, 'id' | 'fileBytes'>,
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
  { id, fence }: TakenImport,
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

export interface ImportEnd {
  readonly rowsRead: number;
  readonly errorsOf: ReadonlyMap<Region, number>;
  /** Of lines that name no region: they may belong to any. */
  readonly errorsOfNoRegion: number;
  readonly completedAt: Date;
}

export interface EndedImport {
  readonly status: ImportStatus;
  readonly regions: readonly ImportedRegion[];
}

/** Vehicles that one statement writes at most: no statement comes near the time-out. */
const LINES_AT_ONCE = 20_000;
const END_TIMEOUT_MS = 10 * 60_000;

/**
 * Ends the import: the data of each region without an error replaces what it had, all in one transaction with the outcome and its
 * audit entry, so that the next transmission is judged by all of it or nothing. @throws FenceLost
 */
export async function endImport(
  db: Db,
  taken: TakenImport,
  end: ImportEnd,
  keys: AuditKeys,
): Promise<EndedImport> {
  return db.$transaction((tx) => writeEnd(tx, taken, end, keys), { timeout: END_TIMEOUT_MS });
}

async function writeEnd(
  tx: Tx,
  taken: TakenImport,
  end: ImportEnd,
  keys: AuditKeys,
): Promise<EndedImport> {
  const { id, fence } = taken;
  const uploader = await lockHeld(tx, taken);
  const regions = await readOutcome(tx, taken, end);
  const replaced = regions
    .filter(({ result }) => result === 'REPLACED')
    .map(({ region }) => region);
  await replaceRegions(tx, taken, replaced, end.completedAt);
  const status = statusOf(regions);
  const errorCount = end.errorsOfNoRegion + sum([...end.errorsOf.values()]);
  await tx.$executeRaw`
    UPDATE reference_imports SET status = ${status}, regions = ${JSON.stringify(regions)}::jsonb, bytes_read = file_bytes,
      rows_read = ${end.rowsRead}, error_count = ${errorCount}, last_error = NULL,
      completed_at = ${end.completedAt}::timestamptz
    WHERE id = ${id}::uuid AND fence = ${fence}`;
  await forgetFile(tx, id);
  const { actorId, actorEmail, actorRole, address, requestId } = uploader;
  await recordAudit(tx, {
    actor: { kind: 'STAFF', id: actorId, email: actorEmail, role: actorRole },
    address,
    requestId,
    at: end.completedAt,
    keys,
    action: 'REFERENCE_IMPORT_ENDED',
    target: { type: 'REFERENCE_IMPORT', id },
    before: Object.fromEntries(regions.map((one) => [one.region, one.vehiclesBefore])),
    after: { status, errorCount, regions },
  });
  return { status, regions };
}

interface Uploader {
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  readonly actorRole: Role | null;
  readonly address: string | null;
  readonly requestId: string;
}

/** While its row is locked nobody else takes the import, however long the lease is over. */
async function lockHeld(tx: Tx, { id, fence }: TakenImport): Promise<Uploader> {
  const [uploader] = await tx.$queryRaw<Uploader[]>`
    SELECT actor_id::text AS "actorId", actor_email AS "actorEmail", actor_role AS "actorRole", address,
      request_id AS "requestId"
    FROM reference_imports WHERE id = ${id}::uuid AND fence = ${fence} AND status = 'RUNNING' FOR UPDATE`;
  if (uploader === undefined) throw new FenceLost();
  return uploader;
}

async function readOutcome(
  tx: Tx,
  { id, fence }: TakenImport,
  { errorsOf, errorsOfNoRegion }: ImportEnd,
): Promise<ImportedRegion[]> {
  const rows = await tx.$queryRaw<Pick<ImportedRegion, 'region' | 'rows' | 'vehiclesBefore'>[]>`
    SELECT r.region, r.rows,
      (SELECT count(*)::int FROM reference_vehicles v WHERE v.region = r.region) AS "vehiclesBefore"
    FROM (
      SELECT region, count(*)::int AS rows FROM reference_import_rows
      WHERE import_id = ${id}::uuid AND fence = ${fence} GROUP BY region) AS r
    ORDER BY r.region`;
  return rows.map(({ region, rows: count, vehiclesBefore }) => {
    const errors = errorsOf.get(region) ?? 0;
    const result = errors === 0 && errorsOfNoRegion === 0 ? 'REPLACED' : 'REFUSED';
    return { region, rows: count, errors, result, vehiclesBefore };
  });
}

/** The regions are locked first, in one order: of two writers of a region the second sees the rows of the first. */
async function replaceRegions(
  tx: Tx,
  { id, fence }: TakenImport,
  regions: readonly Region[],
  importedAt: Date,
): Promise<void> {
  if (regions.length === 0) return;
  const named = Prisma.sql`${regions}::text[]`;
  await tx.$executeRaw`
    INSERT INTO reference_regions (region, imported_at)
    SELECT region, ${importedAt}::timestamptz FROM unnest(${named}) AS region ORDER BY region
    ON CONFLICT (region) DO UPDATE SET imported_at = excluded.imported_at`;
  await tx.$executeRaw`DELETE FROM reference_vehicles WHERE region = ANY(${named})`;
  for (let last = 0; ; ) {
    const [written] = await tx.$queryRaw<{ last: number | null }[]>`
      WITH next AS MATERIALIZED (
        SELECT * FROM reference_import_rows
        WHERE import_id = ${id}::uuid AND fence = ${fence} AND line > ${last}
        ORDER BY line LIMIT ${LINES_AT_ONCE}
      ), new_vehicles AS (
        INSERT INTO reference_vehicles (region, plate_number, mv_file_number, engine_number, chassis_number)
        SELECT region, plate_number, mv_file_number, engine_number, chassis_number FROM next
        WHERE region = ANY(${named})
      )
      SELECT max(line) AS last FROM next`;
    const reached = written?.last ?? null;
    if (reached === null) return;
    last = reached;
  }
}

function statusOf(regions: readonly ImportedRegion[]): ImportStatus {
  const replaced = regions.filter(({ result }) => result === 'REPLACED').length;
  if (replaced === 0) return 'REFUSED';
  return replaced === regions.length ? 'COMPLETED' : 'PARTLY_COMPLETED';
}

async function forgetFile(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM reference_import_rows WHERE import_id = ${id}::uuid`;
  await tx.$executeRaw`DELETE FROM reference_import_chunks WHERE import_id = ${id}::uuid`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
