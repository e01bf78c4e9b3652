import type { Client } from 'pg';

export interface Expected {
  /** Answered as accepted for processing, since the counts before. */
  readonly accepted: number;
  /** Registered certificates and vehicles of those. */
  readonly registered: number;
  readonly vehicles: number;
}

export interface Counts {
  readonly registered: number;
  readonly rejected: number;
  readonly inProgress: number;
  readonly certificates: number;
  readonly vehicles: number;
}

export async function readCounts(client: Client): Promise<Counts> {
  const { rows } = await client.query<Counts>(`
    SELECT
      count(*) FILTER (WHERE status IN ('ACCEPTED', 'FLAGGED'))::int AS registered,
      count(*) FILTER (WHERE status = 'REJECTED')::int AS rejected,
      count(*) FILTER (WHERE status IN ('RECEIVED', 'VALIDATING'))::int AS "inProgress",
      (SELECT count(*)::int FROM certificates) AS certificates,
      (SELECT count(*)::int FROM certificate_vehicles) AS vehicles
    FROM transmissions`);
  const [row] = rows;
  if (row === undefined) throw new Error('the counts came back empty');
  return row;
}

/**
 * What is wrong with a cell; empty when it counts: everything accepted was registered or rejected, every
 * registration left its rows, and no identifier has two certificates in force on one day.
 */
export async function findFaults(
  client: Client,
  before: Counts,
  expected: Expected,
): Promise<string[]> {
  const after = await readCounts(client);
  const registered = after.registered - before.registered;
  const rejected = after.rejected - before.rejected;
  const certificates = after.certificates - before.certificates;
  const vehicles = after.vehicles - before.vehicles;
  const doubles = await countDoubleCovers(client);
  return [
    ...(expected.accepted === registered + rejected
      ? []
      : [`${expected.accepted} accepted, ${registered} registered + ${rejected} rejected`]),
    ...(registered === expected.registered
      ? []
      : [`${expected.registered} should be registered, ${registered} are`]),
    ...(certificates === registered
      ? []
      : [`${registered} registered, ${certificates} certificates`]),
    ...(vehicles === expected.vehicles
      ? []
      : [`${expected.vehicles} vehicles should be insured, ${vehicles} are`]),
    ...(after.inProgress === 0 ? [] : [`${after.inProgress} still in progress`]),
    ...(doubles === 0 ? [] : [`${doubles} double covers`]),
  ];
}

/** Pairs of certificates in force on one day for one identifier, by joining the registered vehicles with themselves. */
async function countDoubleCovers(client: Client): Promise<number> {
  const { rows } = await client.query<{ doubles: number }>(`
    WITH cover AS MATERIALIZED (
      SELECT c.id, i.kind, i.value, daterange(c.effective_date, c.expiration_date, '[]') AS during
      FROM certificate_vehicles v JOIN certificates c ON c.id = v.certificate_id
      CROSS JOIN LATERAL (VALUES
        ('plateNumber', v.registered->>'plateNumber'), ('mvFileNumber', v.registered->>'mvFileNumber'),
        ('engineNumber', v.registered->>'engineNumber'), ('chassisNumber', v.registered->>'chassisNumber')
      ) AS i (kind, value)
      WHERE c.lifecycle = 'CURRENT' AND v.removed_in_version IS NULL AND i.value IS NOT NULL
    )
    SELECT count(*)::int AS doubles FROM cover a
    JOIN cover b ON b.kind = a.kind AND b.value = a.value AND b.id > a.id AND b.during && a.during`);
  return rows[0]?.doubles ?? 0;
}
