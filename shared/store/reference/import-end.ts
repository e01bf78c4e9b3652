import type { Region } from '../../contract/enums.ts';
import type { ImportedRegion, ImportStatus } from '../../contract/staff/reference.ts';
import type { Role } from '../../contract/staff.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import { FenceLost } from '../registry/commit/read-set.ts';
import { recordAudit } from '../staff/audit.ts';
import type { AuditKeys } from '../staff/audit-seal.ts';
import type { ClaimedImport } from './import-work.ts';

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
/** A file may consist of one region. */
const REGION_TIMEOUT_MS = 5 * 60_000;
const END_TIMEOUT_MS = 60_000;

/**
 * Ends the import: the data of each region without an error replaces what the region had. Each region has its own transaction,
 * because a transaction holds back the change feed until it ends (D37, D68). The transaction also notes the result, so that a
 * worker that takes over an interrupted import continues with the next region. @throws FenceLost
 */
export async function endImport(
  db: Db,
  taken: ClaimedImport,
  end: ImportEnd,
  { keys, leaseSeconds }: { readonly keys: AuditKeys; readonly leaseSeconds: number },
): Promise<EndedImport> {
  const outcome = await readOutcome(db, taken, end);
  for (const one of outcome.filter(({ result }) => result === 'REPLACED')) {
    await db.$transaction(
      async (tx) => {
        const done = await lockHeld(tx, taken);
        if (done.some(({ region }) => region === one.region)) return;
        await replaceRegion(tx, taken, one.region, end.completedAt);
        await noteReplaced(tx, taken, one, leaseSeconds);
      },
      { timeout: REGION_TIMEOUT_MS },
    );
  }
  return db.$transaction((tx) => writeEnd(tx, taken, outcome, end, keys), {
    timeout: END_TIMEOUT_MS,
  });
}

/** The result for each region of the file, as it would be if no region had been replaced yet. */
async function readOutcome(
  db: Db,
  { id, fence }: ClaimedImport,
  { errorsOf, errorsOfNoRegion }: ImportEnd,
): Promise<ImportedRegion[]> {
  const rows = await db.$queryRaw<Pick<ImportedRegion, 'region' | 'rows' | 'vehiclesBefore'>[]>`
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

/**
 * Locks the import and returns the regions that it has replaced. While its row is locked nobody else takes the import, even if
 * the lease has ended.
 */
async function lockHeld(tx: Tx, { id, fence }: ClaimedImport): Promise<readonly ImportedRegion[]> {
  const [held] = await tx.$queryRaw<{ regions: ImportedRegion[] }[]>`
    SELECT regions FROM reference_imports
    WHERE id = ${id}::uuid AND fence = ${fence} AND status = 'RUNNING' FOR UPDATE`;
  if (held === undefined) throw new FenceLost();
  return held.regions;
}

/** The region is locked first: of two writers of a region the second sees the rows of the first. */
async function replaceRegion(
  tx: Tx,
  { id, fence }: ClaimedImport,
  region: Region,
  importedAt: Date,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO reference_regions (region, imported_at) VALUES (${region}, ${importedAt}::timestamptz)
    ON CONFLICT (region) DO UPDATE SET imported_at = excluded.imported_at`;
  await tx.$executeRaw`DELETE FROM reference_vehicles WHERE region = ${region}`;
  for (let last = 0; ; ) {
    const [written] = await tx.$queryRaw<{ last: number | null }[]>`
      WITH next AS MATERIALIZED (
        SELECT * FROM reference_import_rows
        WHERE import_id = ${id}::uuid AND fence = ${fence} AND region = ${region} AND line > ${last}
        ORDER BY line LIMIT ${LINES_AT_ONCE}
      ), new_vehicles AS (
        INSERT INTO reference_vehicles (region, plate_number, mv_file_number, engine_number, chassis_number)
        SELECT region, plate_number, mv_file_number, engine_number, chassis_number FROM next
      )
      SELECT max(line) AS last FROM next`;
    const reached = written?.last ?? null;
    if (reached === null) return;
    last = reached;
  }
}

/** The lease begins anew at the end of the transaction, whose now() is its beginning. */
async function noteReplaced(
  tx: Tx,
  { id }: ClaimedImport,
  replaced: ImportedRegion,
  leaseSeconds: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE reference_imports SET regions = regions || ${JSON.stringify([replaced])}::jsonb,
      due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}),
      sweep_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    WHERE id = ${id}::uuid`;
}

async function writeEnd(
  tx: Tx,
  taken: ClaimedImport,
  outcome: readonly ImportedRegion[],
  end: ImportEnd,
  keys: AuditKeys,
): Promise<EndedImport> {
  const { id } = taken;
  const done = await lockHeld(tx, taken);
  // A region that an earlier worker replaced has more vehicles now than before the import.
  const regions = outcome.map((one) => done.find(({ region }) => region === one.region) ?? one);
  const status = statusOf(regions);
  const errorCount = end.errorsOfNoRegion + sum([...end.errorsOf.values()]);
  await tx.$executeRaw`
    UPDATE reference_imports SET status = ${status}, regions = ${JSON.stringify(regions)}::jsonb, bytes_read = file_bytes,
      rows_read = ${end.rowsRead}, error_count = ${errorCount}, last_error = NULL,
      completed_at = ${end.completedAt}::timestamptz
    WHERE id = ${id}::uuid`;
  await forgetFile(tx, id);
  await recordImportEnd(tx, id, keys);
  return { status, regions };
}

function statusOf(regions: readonly ImportedRegion[]): ImportStatus {
  const replaced = regions.filter(({ result }) => result === 'REPLACED').length;
  if (replaced === 0) return 'REFUSED';
  return replaced === regions.length ? 'COMPLETED' : 'PARTLY_COMPLETED';
}

/** Deletes the stored file and the lines read from it. */
export async function forgetFile(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM reference_import_rows WHERE import_id = ${id}::uuid`;
  await tx.$executeRaw`DELETE FROM reference_import_chunks WHERE import_id = ${id}::uuid`;
}

interface EndedRow {
  readonly actorId: string | null;
  readonly actorEmail: string | null;
  readonly actorRole: Role | null;
  readonly address: string | null;
  readonly requestId: string;
  readonly status: ImportStatus;
  readonly errorCount: number;
  readonly regions: readonly ImportedRegion[];
  readonly completedAt: Date;
}

/** Adds the audit entry of an import that has just ended, as an act of its uploader. It comes last in the transaction. */
export async function recordImportEnd(tx: Tx, id: string, keys: AuditKeys): Promise<void> {
  const [row] = await tx.$queryRaw<EndedRow[]>`
    SELECT actor_id::text AS "actorId", actor_email AS "actorEmail", actor_role AS "actorRole", address,
      request_id AS "requestId", status, error_count AS "errorCount", regions, completed_at AS "completedAt"
    FROM reference_imports WHERE id = ${id}::uuid`;
  if (row === undefined) throw new Error('no such import');
  const { actorId, actorEmail, actorRole, address, requestId, status, errorCount, regions } = row;
  await recordAudit(tx, {
    actor: { kind: 'STAFF', id: actorId, email: actorEmail, role: actorRole },
    address,
    requestId,
    at: row.completedAt,
    keys,
    action: 'REFERENCE_IMPORT_ENDED',
    target: { type: 'REFERENCE_IMPORT', id },
    before: Object.fromEntries(regions.map((one) => [one.region, one.vehiclesBefore])),
    after: { status, errorCount, regions },
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
