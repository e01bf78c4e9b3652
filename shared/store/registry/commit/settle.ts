import { Prisma } from '../../../db/generated/client.ts';
import { handOver } from '../../../db/large-parameters.ts';
import type { Db, Tx } from '../../../db/prisma.ts';
import type { RegistryWrites, Revision } from '../../../domain/registration/writes.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import type { BorneKeys } from './identifier-key.ts';
import { type Settlement, settlementColumns } from './settlement-rows.ts';

/** A claim was refused: another certificate is in force on an identifier of these certificates. */
export class ClaimsRefused extends Error {
  readonly certificateIds: ReadonlySet<string>;

  constructor(certificateIds: readonly string[]) {
    super('another certificate is in force on an identifier');
    this.name = 'ClaimsRefused';
    this.certificateIds = new Set(certificateIds);
  }
}

/** What a decision relies on was changed by another writer: it must be decided again. */
export class FactsChanged extends Error {
  constructor() {
    super('what was decided about has changed');
    this.name = 'FactsChanged';
  }
}

/** Somebody else took the transmission after its lease ended: this writer must change nothing. */
export class FenceLost extends Error {
  constructor() {
    super('the transmission is no longer held by this writer');
    this.name = 'FenceLost';
  }
}

/**
 * The rows that still are as they were decided about, kept so until the transaction ends. They are locked in the order
 * given, and each is looked up by its key whatever the planner expects.
 */
function hold(
  table: Prisma.Sql,
  revision: Prisma.Sql,
  lock: Prisma.Sql,
  rows: readonly Revision[],
): Prisma.Sql {
  return Prisma.sql`
    SELECT r.id FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map((row) => row.revision)}::text[]) AS j (id, revision)
    CROSS JOIN LATERAL (
      SELECT id FROM ${table} WHERE id = j.id AND ${revision} = j.revision LIMIT 1 ${lock}) r`;
}

const REVISION = Prisma.sql`xmin::text`;
/** The fence is the revision of a transmission in progress. */
const IF_VALIDATING = Prisma.sql`CASE WHEN status = 'VALIDATING' THEN fence::text END`;

/** Each once, in the order in which everybody locks them, so that writers of the same rows queue up. */
function inOrder(rows: readonly Revision[]): Revision[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()].sort((one, other) =>
    one.id < other.id ? -1 : 1,
  );
}

/** What a settlement sends, and nothing of what that was made from: it is held while the database works. */
export interface PreparedSettlement {
  /** Each to be as it was decided about, and locked in this order. */
  readonly held: Readonly<
    Record<'transmissions' | 'certificates' | 'policies' | 'vehicles', readonly Revision[]>
  >;
  readonly columns: ReturnType<typeof settlementColumns>;
  /** The vehicles that are named beside the own ones (D10). */
  readonly namedVehicleIds: readonly string[];
}

export function prepareSettlement(
  keyring: Keyring,
  settlements: readonly Settlement[],
  writes: RegistryWrites,
  keys?: BorneKeys,
): PreparedSettlement {
  const { certificates, policies, vehicles, namedVehicleIds } = writes.reliesOn;
  return {
    held: {
      transmissions: inOrder(settlements.map(({ id, fence }) => ({ id, revision: `${fence}` }))),
      certificates: inOrder(certificates),
      policies: inOrder(policies),
      vehicles: inOrder(vehicles),
    },
    columns: settlementColumns(keyring, settlements, writes, keys),
    namedVehicleIds,
  };
}

/**
 * Ends transmissions with every row of the registry, in one statement and so in one transaction (D2): all of it is
 * written or nothing. In this order: the transmissions must be held by this writer still, or it throws FenceLost. What was
 * decided about is kept as it is until the transaction ends, certificates before policies before vehicles, or it throws
 * FactsChanged. Every identifier is claimed and the constraint decides (D9), or it throws ClaimsRefused. A unique violation
 * means that facts have changed since they were read. Where vehicles are named beside the own ones (D10), more statements
 * follow in the same transaction.
 */
export async function settle(db: Db, prepared: PreparedSettlement): Promise<void> {
  if (prepared.namedVehicleIds.length === 0) return settleAtOnce(db, prepared);
  await db.$transaction((tx) => settleWithin(tx, prepared));
}

/** The same inside a transaction, which must end when it throws. */
export async function settleWithin(tx: Tx, prepared: PreparedSettlement): Promise<void> {
  await settleAtOnce(tx, prepared);
  const { namedVehicleIds } = prepared;
  // Who decided about a vehicle that is named beside the own one finds it with another revision.
  if (namedVehicleIds.length > 0)
    await tx.$executeRaw`UPDATE vehicles SET updated_at = updated_at WHERE id = ANY(${namedVehicleIds}::uuid[])`;
}

async function settleAtOnce(db: Tx, { held, columns }: PreparedSettlement): Promise<void> {
  const { transmissions, certificates, policies, vehicles } = held;
  const [end] = await handOver(
    columns,
    (large) => db.$queryRaw<
      { transmissions: number; refused: string[] | null; written: boolean }[]
    >`
      WITH held_transmissions AS MATERIALIZED (
        ${hold(Prisma.sql`transmissions`, IF_VALIDATING, Prisma.sql`FOR NO KEY UPDATE`, transmissions)}
      ), held_certificates AS MATERIALIZED (
        ${hold(Prisma.sql`certificates`, REVISION, Prisma.sql`FOR SHARE`, certificates)}
        WHERE (SELECT count(*) FROM held_transmissions) = ${transmissions.length}
      ), held_policies AS MATERIALIZED (
        ${hold(Prisma.sql`policies`, REVISION, Prisma.sql`FOR KEY SHARE`, policies)}
        WHERE (SELECT count(*) FROM held_certificates) = ${certificates.length}
      ), held_vehicles AS MATERIALIZED (
        ${hold(Prisma.sql`vehicles`, REVISION, Prisma.sql`FOR NO KEY UPDATE`, vehicles)}
        WHERE (SELECT count(*) FROM held_policies) = ${policies.length}
      ), lists AS MATERIALIZED (
        SELECT ${large.vehicleIds}::uuid[] AS vehicle_ids, ${large.certificateIds}::uuid[] AS certificate_ids
      ), claimed AS MATERIALIZED (
        SELECT claim_coverage(${large.ownedKeys}::bigint[], ${large.ranks}::smallint[], ${large.owners}::int[],
          ${large.kinds}::text[], ${large.values}::text[], ${large.ownCovers}::int[], ${large.claimedKeys}::bigint[],
          ${large.claimedCovers}::int[], ${large.required}::bool[], ${large.turns}::int[],
          ${large.unclaimedKeys}::bigint[], ${large.unclaimedCovers}::int[], vehicle_ids, ${large.claiming}::uuid[],
          ${large.since}::date[], ${large.until}::date[])::text[] AS refused
        FROM lists
        WHERE (SELECT count(*) FROM held_transmissions) = ${transmissions.length}
          AND (SELECT count(*) FROM held_certificates) = ${certificates.length}
          AND (SELECT count(*) FROM held_policies) = ${policies.length}
          AND (SELECT count(*) FROM held_vehicles) = ${vehicles.length}
      ), given AS MATERIALIZED (
        SELECT ${large.rows}::jsonb AS rows, lists.* FROM claimed, lists WHERE refused IS NULL
      ), settled AS (
        UPDATE transmissions t SET status = s.status, acknowledgment = s.acknowledgment,
          error_code = s.error_code, certificate_id = s.certificate_id, completed_at = s.completed_at,
          last_error = NULL
        FROM given, ROWS FROM (
          unnest(${large.settledIds}::uuid[], ${large.statuses}::text[], ${large.errorCodes}::text[],
            ${large.settledCertificates}::uuid[], ${large.completions}::timestamptz[]),
          json_array_elements(${large.acknowledgments}::json))
          AS s (id, status, error_code, certificate_id, completed_at, acknowledgment)
        -- The rows are found by their ids also while the planner takes the table for empty.
        WHERE t.id = ANY(${large.settledIds}::uuid[]) AND t.id = s.id
      ), new_policies AS (
        INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type,
          premium_amount, official_receipt_number, remarks, pool_id, created_at)
        SELECT p.id, "issuingInsurerId", "policyNumber", "issuanceDate", "coverageType", "premiumAmount",
          "officialReceiptNumber", remarks, "poolId", now()
        FROM given, jsonb_to_recordset(given.rows->'policies') AS p (id uuid, "issuingInsurerId" uuid,
          "policyNumber" text, "issuanceDate" date, "coverageType" text, "premiumAmount" numeric,
          "officialReceiptNumber" text, remarks text, "poolId" uuid)
        ORDER BY "issuingInsurerId", "policyNumber"
      ), new_certificates AS (
        INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
          transmitting_organization_id, effective_date, expiration_date, insurer_verification_reference,
          operator_id, operator_sealed, operator_region, registered_at)
        SELECT c.id, "registryReference", sequence, "policyId", "cocNumber", "issuingInsurerId",
          "transmittingOrganizationId", "effectiveDate", "expirationDate", "insurerVerificationReference",
          "operatorId", decode("operatorSealed", 'base64'), "operatorRegion", "registeredAt"
        FROM given, jsonb_to_recordset(given.rows->'certificates') AS c (id uuid, "registryReference" text,
          sequence bigint, "policyId" uuid, "cocNumber" text, "issuingInsurerId" uuid,
          "transmittingOrganizationId" uuid, "effectiveDate" date, "expirationDate" date,
          "insurerVerificationReference" text, "operatorId" uuid, "operatorSealed" text,
          "operatorRegion" text, "registeredAt" timestamptz)
      ), given_vehicles AS MATERIALIZED (
        SELECT v.* FROM given, unnest(${large.ids}::uuid[], ${large.areNew}::bool[], ${large.areRenamed}::bool[],
          ${large.plateNumbers}::text[], ${large.mvFileNumbers}::text[], ${large.engineNumbers}::text[],
          ${large.chassisNumbers}::text[], ${large.makes}::text[], ${large.models}::text[], ${large.yearModels}::int[],
          ${large.vehicleTypes}::text[], ${large.denominations}::text[])
          AS v (id, is_new, is_renamed, plate_number, mv_file_number, engine_number, chassis_number, make, model,
            year_model, vehicle_type, denomination)
      ), new_vehicles AS (
        INSERT INTO vehicles (id, plate_number, mv_file_number, engine_number, chassis_number, make, model,
          year_model, vehicle_type, denomination, updated_at)
        SELECT id, plate_number, mv_file_number, engine_number, chassis_number, make, model, year_model,
          vehicle_type, denomination, now()
        FROM given_vehicles WHERE is_new
      ), changed_vehicles AS (
        UPDATE vehicles v SET
          plate_number = CASE WHEN g.is_renamed THEN g.plate_number ELSE v.plate_number END,
          mv_file_number = CASE WHEN g.is_renamed THEN g.mv_file_number ELSE v.mv_file_number END,
          engine_number = CASE WHEN g.is_renamed THEN g.engine_number ELSE v.engine_number END,
          chassis_number = CASE WHEN g.is_renamed THEN g.chassis_number ELSE v.chassis_number END,
          make = g.make, model = g.model, year_model = g.year_model, vehicle_type = g.vehicle_type,
          denomination = g.denomination, updated_at = now()
        FROM given_vehicles g
        WHERE v.id = ANY(ARRAY(SELECT id FROM given_vehicles WHERE NOT is_new)) AND v.id = g.id
      ), new_certificate_vehicles AS (
        INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, transmitted,
          reference_match, added_in_version)
        SELECT certificate_ids[covering], ordinal, vehicle_ids[covered], registered, transmitted::jsonb,
          reference_match, added_in_version
        FROM given, ROWS FROM (
          unnest(${large.covering}::int[], ${large.ordinals}::int[], ${large.covered}::int[],
            ${large.transmitted}::text[], ${large.referenceMatches}::text[], ${large.addedIn}::int[]),
          jsonb_array_elements(${large.registered}::jsonb))
          AS v (covering, ordinal, covered, transmitted, reference_match, added_in_version, registered)
      ), new_versions AS (
        INSERT INTO certificate_versions (certificate_id, version, created_at, transmission_id, snapshot_sealed)
        SELECT "certificateId", version, "createdAt", "transmissionId", decode("snapshotSealed", 'base64')
        FROM given, jsonb_to_recordset(given.rows->'versions') AS v ("certificateId" uuid, version int,
          "createdAt" timestamptz, "transmissionId" uuid, "snapshotSealed" text)
      ), new_flags AS (
        INSERT INTO flags (id, type, certificate_id, vehicle_id, related_certificate_id, plate_number, region, details,
          message, created_at)
        SELECT f.id, type, "certificateId", "vehicleId", "relatedCertificateId", "plateNumber", region, details, message,
          "createdAt"
        FROM given, jsonb_to_recordset(given.rows->'flags') AS f (id uuid, type text, "certificateId" uuid,
          "vehicleId" uuid, "relatedCertificateId" uuid, "plateNumber" text, region text, details jsonb, message text, "createdAt" timestamptz)
      )
      SELECT (SELECT count(*)::int FROM held_transmissions) AS transmissions, (SELECT refused FROM claimed) AS refused,
        EXISTS (SELECT FROM given) AS written`,
  );
  if (end?.transmissions !== transmissions.length) throw new FenceLost();
  if (end.refused !== null) throw new ClaimsRefused(end.refused);
  if (!end.written) throw new FactsChanged();
}
