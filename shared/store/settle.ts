import type { TerminalStatus } from '../contract/enums.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Claim, RegistryWrites, Reliance, Revision } from '../domain/writes.ts';
import type { Keyring } from '../platform/sealing.ts';
import type { Tx } from './db.ts';
import { Prisma } from './generated/client.ts';
import { identifierKey } from './identifier-key.ts';
import { arrayLiteral, handOver } from './large-parameters.ts';

/** The end of one transmission, written only by the holder of its fencing number. */
export interface Settlement {
  readonly id: string;
  readonly fence: number;
  readonly status: TerminalStatus;
  /** Stored and served as this text. */
  readonly acknowledgmentJson: string;
  readonly errorCode: ErrorCode | null;
  readonly certificateId: string | null;
  readonly completedAt: Date;
}

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
 * Keeps what was decided about as it is until the transaction ends. Everybody locks certificates before
 * policies before vehicles, so that writers queue up. Throws FactsChanged, and the transaction must end.
 */
export async function holdFacts(
  tx: Tx,
  { certificates, policies, vehicles, namedVehicleIds }: Reliance,
): Promise<void> {
  await hold(tx, Prisma.sql`certificates`, Prisma.sql`FOR SHARE`, certificates);
  await hold(tx, Prisma.sql`policies`, Prisma.sql`FOR KEY SHARE`, policies);
  await hold(tx, Prisma.sql`vehicles`, Prisma.sql`FOR NO KEY UPDATE`, vehicles);
  if (namedVehicleIds.length === 0) return;
  await tx.$executeRaw`UPDATE vehicles SET updated_at = updated_at WHERE id = ANY(${namedVehicleIds}::uuid[])`;
}

async function hold(
  tx: Tx,
  table: Prisma.Sql,
  lock: Prisma.Sql,
  rows: readonly Revision[],
): Promise<void> {
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]));
  if (revisions.size === 0) return;
  const held = await tx.$queryRaw<unknown[]>`
    SELECT r.id FROM ${table} r
    JOIN unnest(${[...revisions.keys()]}::uuid[], ${[...revisions.values()]}::text[]) AS j (id, revision)
      ON r.id = j.id AND r.xmin::text = j.revision
    WHERE r.id = ANY(${[...revisions.keys()]}::uuid[])
    ORDER BY r.id ${lock} OF r`;
  if (held.length < revisions.size) throw new FactsChanged();
}

/** Whose claim is given up at once. */
const NO_VEHICLE = '00000000-0000-0000-0000-000000000000';

/**
 * Claims every identifier in one ordered statement, so that writers of the same identifiers queue up
 * instead of deadlocking; the constraint decides (D9). What must be unclaimed is claimed with them and given up
 * again: who claimed it before is seen, and who comes to claim it waits until the transaction ends. Throws
 * ClaimsRefused, and the transaction must end.
 */
export async function claimCoverage(
  tx: Tx,
  { claims, reliesOn: { unclaimed } }: Pick<RegistryWrites, 'claims' | 'reliesOn'>,
): Promise<void> {
  const wanted: readonly Claim[] = [
    ...claims,
    ...unclaimed.map((one) => ({ ...one, vehicleId: NO_VEHICLE, required: true })),
  ];
  if (wanted.length === 0) return;
  const expected = new Map<string, Set<string>>();
  const rows = wanted.map((claim) => ({ ...claim, key: identifierKey(claim) }));
  for (const { required, certificateId, key } of rows) {
    if (!required) continue;
    const keys = expected.get(certificateId) ?? new Set();
    expected.set(certificateId, keys.add(key));
  }
  const column = (of: (row: (typeof rows)[number]) => string) => arrayLiteral(rows.map(of));
  const columns = {
    keys: column(({ key }) => key),
    certificateIds: column(({ certificateId }) => certificateId),
    vehicleIds: column(({ vehicleId }) => vehicleId),
    since: column(({ from }) => from),
    until: column(({ to }) => to),
  };
  const granted = await handOver(
    columns,
    (large) => tx.$queryRaw<{ certificate_id: string; keys: number }[]>`
      WITH granted AS (
        INSERT INTO coverage_claims (key, certificate_id, vehicle_id, during)
        SELECT key, certificate_id, vehicle_id, daterange(since, until, '[]')
        FROM unnest(${large.keys}::bigint[], ${large.certificateIds}::uuid[], ${large.vehicleIds}::uuid[],
          ${large.since}::date[], ${large.until}::date[]) AS c (key, certificate_id, vehicle_id, since, until)
        ORDER BY key, certificate_id
        ON CONFLICT ON CONSTRAINT coverage_claims_one_cover DO NOTHING
        RETURNING certificate_id, key
      )
      SELECT certificate_id, count(DISTINCT key)::int AS keys FROM granted GROUP BY certificate_id`,
  );
  const grantedKeys = new Map(granted.map((row) => [row.certificate_id, row.keys]));
  const refused = [...expected]
    .filter(([certificateId, keys]) => (grantedKeys.get(certificateId) ?? 0) < keys.size)
    .map(([certificateId]) => certificateId);
  if (refused.length > 0) throw new ClaimsRefused(refused);
  if (unclaimed.length === 0) return;
  const certificateIds = [...new Set(unclaimed.map(({ certificateId }) => certificateId))];
  await tx.$executeRaw`
    DELETE FROM coverage_claims
    WHERE certificate_id = ANY(${certificateIds}::uuid[]) AND vehicle_id = ${NO_VEHICLE}::uuid`;
}

/**
 * Writes the terminal statuses together with every row of the registry, in one statement. Throws FenceLost
 * when one of the transmissions is held by somebody else; a unique violation means that facts have changed
 * since they were read.
 */
export async function writeSettlements(
  tx: Tx,
  keyring: Keyring,
  settlements: readonly Settlement[],
  writes: RegistryWrites,
): Promise<void> {
  const rows = JSON.stringify({
    settlements,
    ...writes,
    claims: undefined,
    reliesOn: undefined,
    certificates: writes.certificates.map(({ operator, ...certificate }) => ({
      ...certificate,
      operatorSealed: keyring
        .seal(JSON.stringify(operator), certificate.operatorId)
        .toString('base64'),
    })),
    identifiers: writes.identifiers.map((one) => ({ ...one, key: identifierKey(one) })),
    versions: writes.versions.map(({ snapshot, ...version }) => ({
      ...version,
      snapshotSealed: keyring
        .seal(JSON.stringify(snapshot), `${version.certificateId}/${version.version}`)
        .toString('base64'),
    })),
  });
  const [written] = await handOver(
    { rows },
    (large) => tx.$queryRaw<{ settled: number }[]>`
      WITH given AS MATERIALIZED (SELECT ${large.rows}::jsonb AS rows),
      settled AS (
        UPDATE transmissions t SET status = s."status", acknowledgment = s."acknowledgmentJson"::json,
          error_code = s."errorCode", certificate_id = s."certificateId", completed_at = s."completedAt",
          last_error = NULL
        FROM given, jsonb_to_recordset(given.rows->'settlements') AS s (id uuid, fence int, "status" text,
          "acknowledgmentJson" text, "errorCode" text, "certificateId" uuid, "completedAt" timestamptz)
        -- IS TRUE keeps the partial indexes of the backlog out, and the array all joins that read the table from end to
        -- end, which the planner prefers while it takes it for empty: the row is found by its id.
        WHERE t.id = ANY(ARRAY(SELECT (one->>'id')::uuid FROM given, jsonb_array_elements(given.rows->'settlements') AS one))
          AND t.id = s.id AND t.fence = s.fence AND (t.status = 'VALIDATING') IS TRUE
        RETURNING t.id
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
        SELECT v.* FROM given, jsonb_to_recordset(given.rows->'vehicles') AS v (id uuid, "isNew" boolean,
          "isRenamed" boolean, "plateNumber" text, "mvFileNumber" text, "engineNumber" text,
          "chassisNumber" text, make text, model text, "yearModel" int, "vehicleType" text, denomination text)
      ), new_vehicles AS (
        INSERT INTO vehicles (id, plate_number, mv_file_number, engine_number, chassis_number, make, model,
          year_model, vehicle_type, denomination, updated_at)
        SELECT id, "plateNumber", "mvFileNumber", "engineNumber", "chassisNumber", make, model, "yearModel",
          "vehicleType", denomination, now()
        FROM given_vehicles WHERE "isNew"
      ), locked_vehicles AS MATERIALIZED (
        -- In one order, so that two writers of the same vehicles queue up.
        SELECT id FROM vehicles WHERE id = ANY(ARRAY(SELECT id FROM given_vehicles WHERE NOT "isNew"))
        ORDER BY id FOR NO KEY UPDATE
      ), changed_vehicles AS (
        UPDATE vehicles v SET
          plate_number = CASE WHEN g."isRenamed" THEN g."plateNumber" ELSE v.plate_number END,
          mv_file_number = CASE WHEN g."isRenamed" THEN g."mvFileNumber" ELSE v.mv_file_number END,
          engine_number = CASE WHEN g."isRenamed" THEN g."engineNumber" ELSE v.engine_number END,
          chassis_number = CASE WHEN g."isRenamed" THEN g."chassisNumber" ELSE v.chassis_number END,
          make = g.make, model = g.model, year_model = g."yearModel", vehicle_type = g."vehicleType",
          denomination = g.denomination, updated_at = now()
        FROM given_vehicles g JOIN locked_vehicles l ON l.id = g.id
        WHERE v.id = ANY(ARRAY(SELECT id FROM locked_vehicles)) AND v.id = g.id
      ), new_identifiers AS (
        INSERT INTO vehicle_identifiers (key, rank, vehicle_id, kind, value)
        SELECT key, rank, "vehicleId", kind, value
        FROM given, jsonb_to_recordset(given.rows->'identifiers') AS i (key bigint, rank smallint,
          "vehicleId" uuid, kind text, value text)
        ORDER BY key, rank
      ), new_certificate_vehicles AS (
        INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, transmitted,
          reference_match, added_in_version)
        SELECT "certificateId", ordinal, "vehicleId", registered, transmitted, "referenceMatch", "addedInVersion"
        FROM given, jsonb_to_recordset(given.rows->'certificateVehicles') AS v ("certificateId" uuid,
          ordinal int, "vehicleId" uuid, registered jsonb, transmitted jsonb, "referenceMatch" text,
          "addedInVersion" int)
      ), new_versions AS (
        INSERT INTO certificate_versions (certificate_id, version, created_at, transmission_id, snapshot_sealed)
        SELECT "certificateId", version, "createdAt", "transmissionId", decode("snapshotSealed", 'base64')
        FROM given, jsonb_to_recordset(given.rows->'versions') AS v ("certificateId" uuid, version int,
          "createdAt" timestamptz, "transmissionId" uuid, "snapshotSealed" text)
      ), new_flags AS (
        INSERT INTO flags (id, type, certificate_id, vehicle_id, plate_number, region, details, message, created_at)
        SELECT f.id, type, "certificateId", "vehicleId", "plateNumber", region, details, message, "createdAt"
        FROM given, jsonb_to_recordset(given.rows->'flags') AS f (id uuid, type text, "certificateId" uuid,
          "vehicleId" uuid, "plateNumber" text, region text, details jsonb, message text, "createdAt" timestamptz)
      )
      SELECT count(*)::int AS settled FROM settled`,
  );
  if (written?.settled !== settlements.length) throw new FenceLost();
}
