import type { IdentifierKind, Region } from '../../contract/enums.ts';
import { TOTAL_COUNTED_MAX } from '../../contract/machine/bounds.ts';
import type { Page, PageQuery } from '../../contract/machine/paging.ts';
import type { ReferenceVehicle } from '../../contract/staff/reference.ts';
import { Prisma } from '../../db/generated/client.ts';
import { allOf, readPage } from '../../db/page.ts';
import type { Db } from '../../db/prisma.ts';
import type { KindAndValue } from '../../domain/identifiers.ts';

type ReadDb = Pick<Db, '$queryRaw'>;

const COLUMNS = Prisma.sql`
  r.id::text, r.region, r.plate_number AS "plateNumber", r.mv_file_number AS "mvFileNumber",
  r.engine_number AS "engineNumber", r.chassis_number AS "chassisNumber"`;

const COLUMN_OF = {
  plateNumber: Prisma.sql`r.plate_number`,
  mvFileNumber: Prisma.sql`r.mv_file_number`,
  engineNumber: Prisma.sql`r.engine_number`,
  chassisNumber: Prisma.sql`r.chassis_number`,
} as const satisfies Record<IdentifierKind, Prisma.Sql>;

export interface ReferenceSearch {
  readonly region: Region | undefined;
  /** Normalized; all of them must match. */
  readonly identifiers: readonly KindAndValue[];
  readonly page: PageQuery;
}

/** Reference vehicles in the order of their import. */
export function listReferenceVehicles(
  db: ReadDb,
  { region, identifiers, page: { cursor, limit } }: ReferenceSearch,
): Promise<Page<ReferenceVehicle>> {
  const conditions = [
    region !== undefined && Prisma.sql`r.region = ${region}`,
    ...identifiers.map(hasIdentifier),
  ];
  return readPage<ReferenceVehicle>(db, {
    columns: COLUMNS,
    from: Prisma.sql`reference_vehicles r`,
    conditions,
    keys: [{ sql: Prisma.sql`r.id`, type: 'bigint' }],
    order: 'ASC',
    cursor,
    filters: JSON.stringify([region ?? null, identifiers]),
    limit,
    // A region may have a million vehicles.
    total: Prisma.sql`(SELECT count(*)::int FROM (
      SELECT FROM reference_vehicles r WHERE ${allOf(conditions)} LIMIT ${TOTAL_COUNTED_MAX}) counted)`,
  });
}

/**
 * The reference vehicles that have one of the identifiers, of any region: those that level 4 compares (D21). A region has each
 * identifier at most once, so there are at most four for each region.
 */
export async function findReferenceVehicles(
  db: ReadDb,
  identifiers: readonly KindAndValue[],
): Promise<ReferenceVehicle[]> {
  if (identifiers.length === 0) return [];
  return db.$queryRaw<ReferenceVehicle[]>`
    SELECT ${COLUMNS} FROM reference_vehicles r
    WHERE ${Prisma.join(identifiers.map(hasIdentifier), ' OR ')} ORDER BY r.id`;
}

function hasIdentifier({ kind, value }: KindAndValue): Prisma.Sql {
  return Prisma.sql`${COLUMN_OF[kind]} = ${value}`;
}
