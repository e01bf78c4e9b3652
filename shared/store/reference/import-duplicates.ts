import type { IdentifierKind, Region } from '../../contract/enums.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import type { ClaimedImport } from './import-work.ts';

const COLUMNS = {
  plateNumber: Prisma.sql`plate_number`,
  mvFileNumber: Prisma.sql`mv_file_number`,
  engineNumber: Prisma.sql`engine_number`,
  chassisNumber: Prisma.sql`chassis_number`,
} as const satisfies Record<IdentifierKind, Prisma.Sql>;

/** Where the errors of a kind go among those that are kept. */
export interface Positions {
  /** So many are kept already. */
  readonly kept: number;
  readonly keptMax: number;
}

/**
 * Identifiers of one kind that an earlier line has, too: errors of the later line, one kind a statement so that none takes long.
 * Comes back: how many there are, by region.
 */
export async function findDuplicates(
  db: Db,
  { id, fence }: ClaimedImport,
  kind: IdentifierKind,
  { kept, keptMax }: Positions,
): Promise<{ region: Region; errors: number }[]> {
  return db.$queryRaw<{ region: Region; errors: number }[]>`
    WITH identifiers AS (
      SELECT line, region, min(line) OVER (PARTITION BY ${COLUMNS[kind]}) AS first
      FROM reference_import_rows
      WHERE import_id = ${id}::uuid AND fence = ${fence} AND ${COLUMNS[kind]} IS NOT NULL
    ), duplicates AS MATERIALIZED (SELECT * FROM identifiers WHERE line > first),
    new_errors AS (
      INSERT INTO reference_import_errors (import_id, fence, line, position, region, field, code, message)
      SELECT ${id}::uuid, ${fence}, line, ${kept}::int + row_number() OVER (ORDER BY line), region, ${kind},
        'DUPLICATE_IDENTIFIER_IN_PAYLOAD', 'Line ' || first || ' has this identifier, too.'
      FROM duplicates ORDER BY line LIMIT ${Math.max(keptMax - kept, 0)}
    )
    SELECT region, count(*)::int AS errors FROM duplicates GROUP BY region`;
}
