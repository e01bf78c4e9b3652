import type { Tx } from '../../../db/prisma.ts';
import type {
  IdentifierOnDays,
  NewIdentifier,
  RecordChanges,
  RegistryWrites,
  Reservation,
} from '../../../domain/registration/writes.ts';
import { identifierKey } from './identifier-key.ts';

/** Another certificate is in force on an identifier that these certificates need (D9). */
export class ReservationRefused extends Error {
  override readonly name = 'ReservationRefused';
  readonly certificateIds: ReadonlySet<string>;

  constructor(certificateIds: readonly string[]) {
    super('another certificate is in force on an identifier');
    this.certificateIds = new Set(certificateIds);
  }
}

/**
 * The rule that a vehicle has one cover (D9). All covers of an identifier stand in the row of its first owner (rank 0). The
 * row's CHECK constraint `vehicle_identifiers_one_cover` refuses two covers that share a day, and its lock serializes writers.
 * Adds the covers of the reservations, and removes the covers that the changed records no longer need. Inserts in the order of
 * keys, then locks all rows that it reads or updates in the order of keys, so that no deadlock can arise.
 *
 * @throws {ReservationRefused} Names all certificates that were refused. A unique violation means that another transaction has
 * registered one of the new identifiers.
 */
export async function reserveIdentifiers(
  tx: Tx,
  { identifiers, reservations, readSet: { mustStayFree } }: RegistryWrites,
  changes: readonly RecordChanges[],
): Promise<void> {
  await insertIdentifiers(tx, identifiers);
  const releases = await findReleases(tx, changes);
  const keys = [
    ...[...reservations, ...mustStayFree].map(identifierKey),
    ...releases.flatMap((release) => release.keys),
  ];
  if (keys.length === 0) return;
  await lockIdentifiers(tx, keys);
  const refused = await findCovered(tx, mustStayFree);
  for (const round of roundsOf(reservations)) {
    const granted = await addCovers(tx, round);
    const isRefused = (one: Reservation) => one.required && !granted.has(identifierKey(one));
    refused.push(...round.filter(isRefused).map(({ cover }) => cover.certificateId));
  }
  if (refused.length > 0) throw new ReservationRefused(refused);
  for (const release of releases) await removeCovers(tx, release);
}

/** The primary key decides: of two transactions that insert the same key and rank, one waits and then fails. */
async function insertIdentifiers(tx: Tx, identifiers: readonly NewIdentifier[]): Promise<void> {
  if (identifiers.length === 0) return;
  const rows = identifiers.map((one) => ({
    key: identifierKey(one),
    rank: one.rank,
    vehicleId: one.vehicleId,
    kind: one.kind,
    value: one.value,
    coveredBy: one.cover === null ? [] : [one.cover.certificateId],
    covers: one.cover === null ? [] : [daysOf(one.cover)],
  }));
  await tx.$executeRaw`
    INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value, covered_by, covers)
    SELECT key, rank, "vehicleId", kind, value, "coveredBy", covers
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (key bigint, rank smallint, "vehicleId" uuid,
      kind text, value text, "coveredBy" uuid[], covers daterange[])
    ORDER BY key, rank`;
}

async function lockIdentifiers(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    SELECT row.key
    FROM (SELECT DISTINCT key FROM unnest(${keys}::bigint[]) AS key ORDER BY key) AS reserved
    CROSS JOIN LATERAL (
      SELECT key FROM vehicle_identifiers WHERE key = reserved.key AND rank = 0
      LIMIT 1 FOR NO KEY UPDATE) AS row`;
}

/** The certificates for which an identifier must stay free (D10) that another certificate covers. */
async function findCovered(tx: Tx, mustStayFree: readonly IdentifierOnDays[]): Promise<string[]> {
  if (mustStayFree.length === 0) return [];
  const rows = await tx.$queryRaw<{ certificateId: string }[]>`
    SELECT DISTINCT asked."certificateId"
    FROM json_to_recordset(${JSON.stringify(mustStayFree.map(rowOf))}::json)
      AS asked (key bigint, "certificateId" uuid, days daterange)
    CROSS JOIN LATERAL (
      SELECT covered_by, covers FROM vehicle_identifiers WHERE key = asked.key AND rank = 0 LIMIT 1) AS i
    WHERE NOT is_free(i.covered_by, i.covers, asked."certificateId", asked.days)`;
  return rows.map(({ certificateId }) => certificateId);
}

/** Each round has at most one reservation of each identifier, because one UPDATE changes a row only once. */
function roundsOf(reservations: readonly Reservation[]): Reservation[][] {
  const rounds: Reservation[][] = [];
  const counts = new Map<string, number>();
  for (const one of reservations) {
    const key = identifierKey(one);
    const round = counts.get(key) ?? 0;
    counts.set(key, round + 1);
    rounds[round] ??= [];
    rounds[round].push(one);
  }
  return rounds;
}

/** Adds a cover to each identifier that is free, in place of the certificate's earlier cover. Returns the keys of these. */
async function addCovers(tx: Tx, reservations: readonly Reservation[]): Promise<Set<string>> {
  const rows = reservations.map(rowOf);
  const granted = await tx.$queryRaw<{ key: string }[]>`
    UPDATE vehicle_identifiers i SET
      covered_by = array_remove(i.covered_by, asked."certificateId") || asked."certificateId",
      covers = covers_without(i.covered_by, i.covers, asked."certificateId") || asked.days
    FROM json_to_recordset(${JSON.stringify(rows)}::json)
      AS asked (key bigint, "certificateId" uuid, days daterange)
    -- The array makes the planner look up each row by the primary key.
    WHERE i.key = ANY(${rows.map(({ key }) => key)}::bigint[]) AND i.rank = 0 AND i.key = asked.key
      AND is_free(i.covered_by, i.covers, asked."certificateId", asked.days)
    RETURNING i.key::text`;
  return new Set(granted.map(({ key }) => key));
}

/** The covers of a changed record on identifiers that it no longer needs. */
interface Release {
  readonly certificateId: string;
  readonly keys: readonly string[];
}

/**
 * Finds the covers on all identifiers that the vehicles of the changed records have or had, except those that the records keep.
 * No other transaction can add a cover meanwhile: it would need the certificate's row, which the change has locked.
 */
async function findReleases(tx: Tx, changes: readonly RecordChanges[]): Promise<Release[]> {
  const releases: Release[] = [];
  for (const { certificateId, held } of changes) {
    const rows = await tx.$queryRaw<{ key: string }[]>`
      SELECT DISTINCT i.key::text
      FROM certificate_vehicles cv JOIN vehicle_identifiers i ON i.vehicle_id = cv.vehicle_id
      CROSS JOIN LATERAL (
        SELECT covered_by FROM vehicle_identifiers WHERE key = i.key AND rank = 0 LIMIT 1) AS first
      WHERE cv.certificate_id = ${certificateId}::uuid AND i.key <> ALL(${held.map(identifierKey)}::bigint[])
        AND ${certificateId}::uuid = ANY(first.covered_by)`;
    if (rows.length > 0) releases.push({ certificateId, keys: rows.map(({ key }) => key) });
  }
  return releases;
}

async function removeCovers(tx: Tx, { certificateId, keys }: Release): Promise<void> {
  await tx.$executeRaw`
    UPDATE vehicle_identifiers i SET
      covers = covers_without(i.covered_by, i.covers, ${certificateId}::uuid),
      covered_by = array_remove(i.covered_by, ${certificateId}::uuid)
    WHERE i.key = ANY(${keys}::bigint[]) AND i.rank = 0`;
}

function rowOf(one: IdentifierOnDays) {
  return {
    key: identifierKey(one),
    certificateId: one.cover.certificateId,
    days: daysOf(one.cover),
  };
}

/** A daterange with both days inclusive. */
function daysOf({ from, to }: { readonly from: string; readonly to: string }): string {
  return `[${from},${to}]`;
}
