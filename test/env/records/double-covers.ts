import type { Db } from '../../../shared/db/prisma.ts';

/**
 * Finds pairs of certificates in force that share a day (D9) on a canonical vehicle or on an identifier under which they
 * registered it. Reads the certificates and not the reservations, which should prevent such pairs. If a subject has several
 * certificates, adjacent ones are compared.
 */
export async function findDoubleCovers(db: Pick<Db, '$queryRaw'>): Promise<string[]> {
  const rows = await db.$queryRaw<{ double: string }[]>`
    WITH covers AS (
      SELECT DISTINCT s.subject, c.id, c.registry_reference, c.effective_date, c.expiration_date
      FROM certificates c
      JOIN certificate_vehicles v ON v.certificate_id = c.id AND v.removed_in_version IS NULL,
        LATERAL (VALUES
          ('vehicle ' || v.vehicle_id),
          ('plateNumber ' || (v.registered->>'plateNumber')),
          ('mvFileNumber ' || (v.registered->>'mvFileNumber')),
          ('engineNumber ' || (v.registered->>'engineNumber')),
          ('chassisNumber ' || (v.registered->>'chassisNumber'))) AS s (subject)
      WHERE c.lifecycle = 'CURRENT' AND s.subject IS NOT NULL
    ), ordered AS (
      SELECT subject, registry_reference, effective_date,
        lag(expiration_date) OVER earlier AS earlier_end,
        lag(registry_reference) OVER earlier AS earlier_reference
      FROM covers WINDOW earlier AS (PARTITION BY subject ORDER BY effective_date, id)
    )
    SELECT format('two in force share a day on %s: %s, %s', subject, earlier_reference, registry_reference) AS double
    FROM ordered WHERE effective_date <= earlier_end`;
  return rows.map(({ double }) => double);
}
