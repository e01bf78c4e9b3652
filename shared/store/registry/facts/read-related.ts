import { Prisma } from '../../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../../db/look-up.ts';
import type { Tx } from '../../../db/prisma.ts';
import { othersOf } from '../../../domain/rules/conflicts.ts';
import type { RelatedRecord } from '../../../domain/rules/facts.ts';
import { isIdentifierConflict, type MatchedVehicle } from '../../../domain/rules/matching.ts';

/**
 * Reads the last record of each conflicting vehicle (D10), whatever its status, except the record `exceptCertificateId`. Runs no
 * query when no vehicle conflicts.
 */
export async function readRelated(
  tx: Tx,
  matched: readonly MatchedVehicle[],
  exceptCertificateId: string | null,
): Promise<RelatedRecord[]> {
  const others = matched.filter(isIdentifierConflict).flatMap(othersOf);
  if (others.length === 0) return [];
  const ids = [...new Set(others.map(({ id }) => id))];
  return tx.$queryRaw<RelatedRecord[]>`
    SELECT asked.id AS "vehicleId", last.*
    FROM unnest(${ids}::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT c.id AS "certificateId", c.registry_reference AS "registryReference"
      FROM ${rowsWhere('certificate_vehicles', Prisma.sql`vehicle_id = asked.id`)} cv
      CROSS JOIN ${rowOf('certificates', 'cv.certificate_id')} c
      WHERE c.id IS DISTINCT FROM ${exceptCertificateId}::uuid
      ORDER BY c.sequence DESC LIMIT 1) AS last`;
}
