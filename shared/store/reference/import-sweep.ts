import type { Db } from '../../db/prisma.ts';
import type { AuditKeys } from '../staff/audit-seal.ts';
import { forgetFile, recordImportEnd } from './import-end.ts';
import { type ClaimedImport, IMPORT_ATTEMPTS_MAX, type NextImport } from './import-work.ts';

/** A held import whose processing failed for a fault of ours. */
export interface ImportFailure extends Pick<ClaimedImport, 'id' | 'fence'> {
  /** For the staff: no values of the file. */
  readonly reason: string;
  /** Undefined ends it as FAILED. */
  readonly retryInSeconds: number | undefined;
  readonly now: Date;
  readonly keys: AuditKeys;
}

export async function releaseImport(
  db: Db,
  { id, fence, reason, retryInSeconds, now, keys }: ImportFailure,
): Promise<void> {
  const isOver = retryInSeconds === undefined;
  await db.$transaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE reference_imports SET failures = failures + 1, last_error = ${reason},
        status = CASE WHEN ${isOver} THEN 'FAILED' ELSE status END,
        completed_at = CASE WHEN ${isOver} THEN ${now}::timestamptz END,
        due_at = now() + make_interval(secs => ${retryInSeconds ?? 0}),
        sweep_at = now() + make_interval(secs => ${retryInSeconds ?? 0})
      WHERE id = ${id}::uuid AND fence = ${fence} AND status = 'RUNNING'`;
    if (changed === 0 || !isOver) return;
    await forgetFile(tx, id);
    await recordImportEnd(tx, id, keys);
  });
}

/** The first of those in progress: the only one that can be taken. Undefined when there is none. */
export async function findNextImport(db: Db): Promise<NextImport | undefined> {
  const [next] = await db.$queryRaw<NextImport[]>`
    SELECT id::text, request_id AS "requestId" FROM reference_imports
    WHERE status IN ('QUEUED', 'RUNNING') ORDER BY sequence LIMIT 1`;
  return next;
}

/** After so many seconds a swept import is looked at again. */
const RESWEEP_SECONDS = 5;
/** Chunks that have no import after so long are of an upload that was cut short. */
const ORPHAN_SECONDS = 3_600;

export interface SweptImport extends NextImport {
  readonly attempts: number;
}

/** The first import in progress, when it is due and its wake-up may be lost. */
export async function sweepImports(db: Db): Promise<SweptImport[]> {
  return db.$queryRaw<SweptImport[]>`
    UPDATE reference_imports i SET sweep_at = now() + make_interval(secs => ${RESWEEP_SECONDS})
    FROM (
      SELECT id FROM reference_imports
      WHERE id = (
          SELECT id FROM reference_imports WHERE status IN ('QUEUED', 'RUNNING') ORDER BY sequence LIMIT 1)
        AND sweep_at <= now() AND due_at <= now()
      FOR UPDATE SKIP LOCKED
    ) AS late WHERE i.id = late.id
    RETURNING i.id::text, i.request_id AS "requestId", i.attempts`;
}

/** Ends an import as FAILED that was taken as often as it may be. False when it has ended already. */
export async function failSpentImport(
  db: Db,
  { id, now, keys }: { readonly id: string; readonly now: Date; readonly keys: AuditKeys },
): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const changed = await tx.$executeRaw`
      UPDATE reference_imports SET status = 'FAILED', completed_at = ${now}::timestamptz,
        last_error = 'its workers ended without a result, ' || attempts || ' times'
      WHERE id = ${id}::uuid AND status IN ('QUEUED', 'RUNNING') AND attempts >= ${IMPORT_ATTEMPTS_MAX}
        AND due_at <= now()`;
    if (changed > 0) await recordImportEnd(tx, id, keys);
    return changed > 0;
  });
}

/** What uploads that were cut short and imports that failed left behind. */
export async function pruneImportFiles(db: Db): Promise<void> {
  await db.$executeRaw`
    DELETE FROM reference_import_chunks c WHERE stored_at < now() - make_interval(secs => ${ORPHAN_SECONDS})
      AND NOT EXISTS (
        SELECT FROM reference_imports i WHERE i.id = c.import_id AND i.status IN ('QUEUED', 'RUNNING'))`;
  await db.$executeRaw`
    DELETE FROM reference_import_rows
    WHERE import_id = ANY(ARRAY(SELECT id FROM reference_imports WHERE status = 'FAILED'))`;
}
