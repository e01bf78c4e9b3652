import type { Db } from '../../shared/store/db.ts';

/**
 * How often two certificates in force share a day on an identifier that their vehicles own, now or formerly
 * (D9). Counted from the registered certificates, not from the claims that keep it from happening.
 */
export async function countDoubleCovers(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ doubles: number }[]>`
    SELECT count(*)::int AS doubles FROM (
      SELECT effective_date, lag(expiration_date) OVER (PARTITION BY key ORDER BY effective_date, id) AS earlier_end
      FROM (
        SELECT DISTINCT i.key, c.id, c.effective_date, c.expiration_date
        FROM certificates c
        JOIN certificate_vehicles v ON v.certificate_id = c.id AND v.removed_in_version IS NULL
        JOIN vehicle_identifiers i ON i.vehicle_id = v.vehicle_id
        WHERE c.lifecycle = 'CURRENT') AS covers) AS ordered
    WHERE effective_date <= earlier_end`;
  return row?.doubles ?? -1;
}
