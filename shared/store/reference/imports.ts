import { AppError } from '../../contract/errors.ts';
import type { Page, PageQuery } from '../../contract/machine/paging.ts';
import type {
  ImportError,
  ImportErrorQuery,
  ImportQuery,
  ReferenceImport,
  ReferenceRegion,
} from '../../contract/staff/reference.ts';
import { Prisma } from '../../db/generated/client.ts';
import { readPage } from '../../db/page.ts';
import type { Db, Tx } from '../../db/prisma.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';
import { type By, recordAudit } from '../staff/audit.ts';

/** What a chunk of an uploaded file is sealed for. */
export function chunkPlace(importId: string, ordinal: number): string {
  return `reference-import/${importId}/${ordinal}`;
}

/** Before its import is there: until then the chunks count for nothing, and a sweep removes them after an hour. */
export async function storeChunk(
  db: Db,
  keyring: Keyring,
  { importId, ordinal, bytes }: { importId: string; ordinal: number; bytes: Buffer },
): Promise<void> {
  const sealed = keyring.seal(bytes, chunkPlace(importId, ordinal));
  await db.$executeRaw`
    INSERT INTO reference_import_chunks (import_id, ordinal, sealed)
    VALUES (${importId}::uuid, ${ordinal}, ${sealed})`;
}

/** Of an upload that did not become an import. */
export async function dropChunks(db: Db, importId: string): Promise<void> {
  await db.$executeRaw`
    DELETE FROM reference_import_chunks WHERE import_id = ${importId}::uuid
      AND NOT EXISTS (SELECT FROM reference_imports WHERE id = ${importId}::uuid)`;
}

export interface StoredFile {
  readonly importId: string;
  readonly fileBytes: number;
  readonly fileSha256: Buffer;
}

/** For the uploader's own wake-up to arrive before the sweeper sends another. */
const SWEEP_GRACE_SECONDS = 5;

/** Queues a file whose chunks are stored. */
export async function createImport(
  tx: Tx,
  { importId, fileBytes, fileSha256 }: StoredFile,
  by: By,
): Promise<ReferenceImport> {
  const { actor, address, requestId, at } = by;
  await tx.$executeRaw`
    INSERT INTO reference_imports (id, file_bytes, file_sha256, actor_id, actor_email, actor_role, address, request_id,
      uploaded_at, sweep_at)
    VALUES (${importId}::uuid, ${fileBytes}, ${fileSha256}, ${actor.id}::uuid, ${actor.email}, ${actor.role}, ${address},
      ${requestId}, ${at}::timestamptz, now() + make_interval(secs => ${SWEEP_GRACE_SECONDS}))`;
  await recordAudit(tx, {
    ...by,
    action: 'REFERENCE_IMPORT_UPLOADED',
    target: { type: 'REFERENCE_IMPORT', id: importId },
    after: { fileBytes, fileSha256: fileSha256.toString('hex') },
  });
  return requireImport(tx, importId);
}

type Stamped = 'uploadedAt' | 'startedAt' | 'completedAt';
interface ImportRow extends Omit<ReferenceImport, Stamped> {
  readonly uploadedAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

const COLUMNS = Prisma.sql`
  i.id::text, i.status, i.file_bytes AS "fileBytes", encode(i.file_sha256, 'hex') AS "fileSha256",
  i.bytes_read AS "bytesRead", i.rows_read AS "rowsRead", i.error_count AS "errorCount", i.regions, i.attempts,
  i.last_error AS "lastError", i.actor_email AS "uploadedBy", i.uploaded_at AS "uploadedAt",
  i.started_at AS "startedAt", i.completed_at AS "completedAt"`;

/** The newest first. */
export async function listImports(db: Db, query: ImportQuery): Promise<Page<ReferenceImport>> {
  const { status, region, cursor, limit } = query;
  const page = await readPage<ImportRow>(db, {
    columns: COLUMNS,
    from: Prisma.sql`reference_imports i`,
    conditions: [
      status !== undefined && Prisma.sql`i.status = ${status}`,
      region !== undefined && Prisma.sql`i.regions @> ${JSON.stringify([{ region }])}::jsonb`,
    ],
    keys: [{ sql: Prisma.sql`i.sequence`, type: 'bigint' }],
    order: 'DESC',
    cursor,
    limit,
  });
  return { ...page, items: page.items.map(importOf) };
}

/** @throws {AppError} NOT_FOUND */
export async function requireImport(db: Tx, importId: string): Promise<ReferenceImport> {
  const [row] = await db.$queryRaw<ImportRow[]>`
    SELECT ${COLUMNS} FROM reference_imports i WHERE i.id = ${importId}::uuid`;
  if (row === undefined) throw new AppError('NOT_FOUND', 'no such import');
  return importOf(row);
}

function importOf(row: ImportRow): ReferenceImport {
  return {
    ...row,
    uploadedAt: row.uploadedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

/** By line. @throws {AppError} NOT_FOUND */
export async function listImportErrors(
  db: Db,
  importId: string,
  { region, cursor, limit }: ImportErrorQuery,
): Promise<Page<ImportError>> {
  await requireImport(db, importId);
  return readPage<ImportError>(db, {
    columns: Prisma.sql`e.line, e.region, e.field, e.code, e.message`,
    from: Prisma.sql`reference_imports i
      JOIN reference_import_errors e ON e.import_id = i.id AND e.fence = i.fence`,
    conditions: [
      Prisma.sql`i.id = ${importId}::uuid`,
      region !== undefined && Prisma.sql`e.region = ${region}`,
    ],
    keys: [
      { sql: Prisma.sql`e.line`, type: 'bigint' },
      { sql: Prisma.sql`e.position`, type: 'bigint' },
    ],
    order: 'ASC',
    cursor,
    limit,
  });
}

/** By name. */
export async function listRegions(db: Db, query: PageQuery): Promise<Page<ReferenceRegion>> {
  const page = await readPage<Omit<ReferenceRegion, 'importedAt'> & { importedAt: Date }>(db, {
    columns: Prisma.sql`r.region, r.imported_at AS "importedAt",
      (SELECT count(*)::int FROM reference_vehicles v WHERE v.region = r.region) AS vehicles`,
    from: Prisma.sql`reference_regions r`,
    conditions: [],
    keys: [{ sql: Prisma.sql`r.region`, type: 'text' }],
    order: 'ASC',
    cursor: query.cursor,
    limit: query.limit,
  });
  return {
    ...page,
    items: page.items.map((one) => ({ ...one, importedAt: one.importedAt.toISOString() })),
  };
}
