import type { Client } from 'pg';
import { sumOf } from './statistics.ts';

export interface Expected {
  /** Answered as accepted for processing, since the counts before. */
  readonly accepted: number;
  /** Registered certificates and vehicles of those. */
  readonly registered: number;
  readonly vehicles: number;
  /** What is left to do; nothing, unless a cell leaves a backlog on purpose. */
  readonly inProgress?: number;
}

/** Of certificates that are all registered, each of so many vehicles, while so many others are left to do. */
export function expectAll(items: number, vehicles: number, inProgress = 0): Expected {
  return { accepted: items, registered: items, vehicles: items * vehicles, inProgress };
}

export interface Counts {
  readonly registered: number;
  readonly rejected: number;
  readonly inProgress: number;
  /** Certificates after this one are new. */
  readonly lastCertificate: string;
}

export async function readCounts(client: Client): Promise<Counts> {
  const { rows } = await client.query<Counts>(`
    SELECT
      count(*) FILTER (WHERE status IN ('ACCEPTED', 'FLAGGED'))::int AS registered,
      count(*) FILTER (WHERE status = 'REJECTED')::int AS rejected,
      count(*) FILTER (WHERE status IN ('RECEIVED', 'VALIDATING'))::int AS "inProgress",
      (SELECT coalesce(max(sequence), 0)::text FROM certificates) AS "lastCertificate"
    FROM transmissions`);
  return onlyRow(rows);
}

/** What a turn of a cell left, or all of them. */
export interface Left {
  readonly registered: number;
  readonly rejected: number;
  readonly inProgress: number;
  /** New certificates, and vehicles of those. */
  readonly certificates: number;
  readonly vehicles: number;
}

/** Of what is new alone: to count ten million vehicles takes longer than the work. */
export async function readLeft(client: Client, before: Counts): Promise<Left> {
  const after = await readCounts(client);
  const { rows } = await client.query<Pick<Left, 'certificates' | 'vehicles'>>(
    `SELECT count(*)::int AS certificates, coalesce(sum(v.vehicles), 0)::int AS vehicles
     FROM certificates c CROSS JOIN LATERAL (
       SELECT count(*) AS vehicles FROM certificate_vehicles WHERE certificate_id = c.id
     ) v
     WHERE c.sequence > $1`,
    [before.lastCertificate],
  );
  return {
    registered: after.registered - before.registered,
    rejected: after.rejected - before.rejected,
    inProgress: after.inProgress,
    ...onlyRow(rows),
  };
}

/** Of all turns; nothing, where none registers anything. */
export function sumOfExpected(turns: readonly { readonly expected?: Expected }[]): Expected {
  const sum = (read: (expected: Expected) => number) =>
    sumOf(turns.map(({ expected }) => (expected === undefined ? 0 : read(expected))));
  return {
    accepted: sum(({ accepted }) => accepted),
    registered: sum(({ registered }) => registered),
    vehicles: sum(({ vehicles }) => vehicles),
    inProgress: sum(({ inProgress = 0 }) => inProgress),
  };
}

function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('the counts came back empty');
  return row;
}

/**
 * What is wrong with a cell; empty when it counts: everything accepted was registered or rejected, every registration left its
 * rows, and no identifier has two certificates in force on one day. What was registered after `lastCertificate` is new.
 */
export async function findFaults(
  client: Client,
  lastCertificate: string,
  turns: readonly Left[],
  expected: Expected,
): Promise<string[]> {
  const sum = (read: (left: Left) => number) => sumOf(turns.map(read));
  const registered = sum((left) => left.registered);
  const rejected = sum((left) => left.rejected);
  const certificates = sum((left) => left.certificates);
  const vehicles = sum((left) => left.vehicles);
  const left = sum(({ inProgress }) => inProgress);
  const { accepted, inProgress = 0 } = expected;
  const doubles = await countDoubleCovers(client, lastCertificate);
  return [
    ...(accepted === registered + rejected
      ? []
      : [`${accepted} accepted, ${registered} registered + ${rejected} rejected`]),
    ...(registered === expected.registered
      ? []
      : [`${expected.registered} should be registered, ${registered} are`]),
    ...(certificates === registered
      ? []
      : [`${registered} registered, ${certificates} certificates`]),
    ...(vehicles === expected.vehicles
      ? []
      : [`${expected.vehicles} vehicles should be insured, ${vehicles} are`]),
    ...(left === inProgress ? [] : [`${left} in progress, ${inProgress} should be`]),
    ...(doubles === 0 ? [] : [`${doubles} double covers`]),
  ];
}

/**
 * Pairs of certificates in force on one day, one of them new, on vehicles that own one identifier: by the identifiers and
 * the registered vehicles, without the claims that are to prevent it.
 */
async function countDoubleCovers(client: Client, lastCertificate: string): Promise<number> {
  // With the statistics of a database that was empty when the cell began, the statement takes a minute.
  await client.query('ANALYZE certificates, certificate_vehicles, vehicle_identifiers');
  const { rows } = await client.query<{ doubles: number }>(
    `
    WITH fresh AS MATERIALIZED (
      SELECT c.id, v.vehicle_id, daterange(c.effective_date, c.expiration_date, '[]') AS during
      FROM certificates c JOIN certificate_vehicles v ON v.certificate_id = c.id
      WHERE c.sequence > $1 AND c.lifecycle = 'CURRENT' AND v.removed_in_version IS NULL
    ), shared AS MATERIALIZED (
      SELECT DISTINCT f.id, f.during, others.vehicle_id FROM fresh f
      JOIN vehicle_identifiers own ON own.vehicle_id = f.vehicle_id
      JOIN vehicle_identifiers others ON others.key = own.key
    )
    SELECT count(*)::int AS doubles FROM shared s
    JOIN certificate_vehicles v ON v.vehicle_id = s.vehicle_id AND v.removed_in_version IS NULL
    JOIN certificates c ON c.id = v.certificate_id AND c.lifecycle = 'CURRENT' AND c.id <> s.id
      AND daterange(c.effective_date, c.expiration_date, '[]') && s.during`,
    [lastCertificate],
  );
  return rows[0]?.doubles ?? 0;
}
