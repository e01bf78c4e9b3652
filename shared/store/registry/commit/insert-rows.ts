import type { Tx } from '../../../db/prisma.ts';
import { keepSnapshot } from '../../../domain/amendment/snapshot.ts';
import type {
  CertificateVehicleRow,
  FlagRow,
  NewCertificate,
  NewPolicy,
  VehicleRow,
  VersionRow,
} from '../../../domain/registration/writes.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';

// Each step writes all rows of one table with one statement. The rows travel as one JSON parameter.

/** Inserts in the order of the unique key, so that two transactions with the same policies don't deadlock. */
export async function insertPolicies(tx: Tx, policies: readonly NewPolicy[]): Promise<void> {
  if (policies.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO policies (id, issuing_insurer_id, policy_number, issuance_date, coverage_type,
      premium_amount, official_receipt_number, remarks, pool_id, created_at)
    SELECT id, "issuingInsurerId", "policyNumber", "issuanceDate", "coverageType", "premiumAmount",
      "officialReceiptNumber", remarks, "poolId", now()
    FROM json_to_recordset(${JSON.stringify(policies)}::json) AS row (id uuid, "issuingInsurerId" uuid,
      "policyNumber" text, "issuanceDate" date, "coverageType" text, "premiumAmount" numeric,
      "officialReceiptNumber" text, remarks text, "poolId" uuid)
    ORDER BY "issuingInsurerId", "policyNumber"`;
}

/**
 * Seals the operator, which is personal data (D22). Inserts in the order of the unique key, so that two transactions with the
 * same certificate numbers don't deadlock.
 */
export async function insertCertificates(
  tx: Tx,
  keyring: Keyring,
  certificates: readonly NewCertificate[],
): Promise<void> {
  if (certificates.length === 0) return;
  const rows = certificates.map(({ operator, ...certificate }) => ({
    ...certificate,
    operatorSealed: sealJson(keyring, operator, certificate.operatorId),
  }));
  await tx.$executeRaw`
    INSERT INTO certificates (id, registry_reference, sequence, policy_id, coc_number, issuing_insurer_id,
      transmitting_organization_id, effective_date, expiration_date, insurer_verification_reference,
      operator_id, operator_sealed, operator_region, registered_at)
    SELECT id, "registryReference", sequence, "policyId", "cocNumber", "issuingInsurerId",
      "transmittingOrganizationId", "effectiveDate", "expirationDate", "insurerVerificationReference",
      "operatorId", decode("operatorSealed", 'base64'), "operatorRegion", "registeredAt"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (id uuid, "registryReference" text,
      sequence bigint, "policyId" uuid, "cocNumber" text, "issuingInsurerId" uuid,
      "transmittingOrganizationId" uuid, "effectiveDate" date, "expirationDate" date,
      "insurerVerificationReference" text, "operatorId" uuid, "operatorSealed" text,
      "operatorRegion" text, "registeredAt" timestamptz)
    ORDER BY "policyId", "cocNumber"`;
}

/** Seals the snapshot of each version. */
export async function insertVersions(
  tx: Tx,
  keyring: Keyring,
  versions: readonly VersionRow[],
): Promise<void> {
  if (versions.length === 0) return;
  const rows = versions.map(({ snapshot, ...version }) => ({
    ...version,
    snapshotSealed: sealJson(
      keyring,
      keepSnapshot(snapshot),
      `${version.certificateId}/${version.version}`,
    ),
  }));
  await tx.$executeRaw`
    INSERT INTO certificate_versions (certificate_id, version, created_at, transmission_id, snapshot_sealed)
    SELECT "certificateId", version, "createdAt", "transmissionId", decode("snapshotSealed", 'base64')
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row ("certificateId" uuid, version int,
      "createdAt" timestamptz, "transmissionId" uuid, "snapshotSealed" text)`;
}

/** Inserts new canonical vehicles and updates known ones (D10). */
export async function writeVehicles(tx: Tx, vehicles: readonly VehicleRow[]): Promise<void> {
  await insertVehicles(
    tx,
    vehicles.filter(({ isNew }) => isNew),
  );
  await updateVehicles(
    tx,
    vehicles.filter(({ isNew }) => !isNew),
  );
}

async function insertVehicles(tx: Tx, vehicles: readonly VehicleRow[]): Promise<void> {
  if (vehicles.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO vehicles (id, plate_number, mv_file_number, engine_number, chassis_number, make, model,
      year_model, vehicle_type, denomination, updated_at)
    SELECT id, "plateNumber", "mvFileNumber", "engineNumber", "chassisNumber", make, model,
      "yearModel", "vehicleType", denomination, now()
    FROM json_to_recordset(${JSON.stringify(vehicles)}::json) AS row (id uuid, "plateNumber" text,
      "mvFileNumber" text, "engineNumber" text, "chassisNumber" text, make text, model text,
      "yearModel" int, "vehicleType" text, denomination text)`;
}

async function updateVehicles(tx: Tx, vehicles: readonly VehicleRow[]): Promise<void> {
  if (vehicles.length === 0) return;
  await tx.$executeRaw`
    UPDATE vehicles v SET
      plate_number = CASE WHEN row."isRenamed" THEN row."plateNumber" ELSE v.plate_number END,
      mv_file_number = CASE WHEN row."isRenamed" THEN row."mvFileNumber" ELSE v.mv_file_number END,
      engine_number = CASE WHEN row."isRenamed" THEN row."engineNumber" ELSE v.engine_number END,
      chassis_number = CASE WHEN row."isRenamed" THEN row."chassisNumber" ELSE v.chassis_number END,
      make = row.make, model = row.model, year_model = row."yearModel",
      vehicle_type = row."vehicleType", denomination = row.denomination, updated_at = now()
    FROM json_to_recordset(${JSON.stringify(vehicles)}::json) AS row (id uuid, "isRenamed" boolean,
      "plateNumber" text, "mvFileNumber" text, "engineNumber" text, "chassisNumber" text, make text,
      model text, "yearModel" int, "vehicleType" text, denomination text)
    -- The array makes the planner look up each row by the primary key.
    WHERE v.id = ANY(${vehicles.map(({ id }) => id)}::uuid[]) AND v.id = row.id`;
}

export async function insertCertificateVehicles(
  tx: Tx,
  rows: readonly CertificateVehicleRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, transmitted,
      reference_match, added_in_version)
    SELECT "certificateId", ordinal, "vehicleId", registered, transmitted, "referenceMatch", "addedInVersion"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row ("certificateId" uuid, ordinal int,
      "vehicleId" uuid, registered jsonb, transmitted jsonb, "referenceMatch" text, "addedInVersion" int)`;
}

export async function insertFlags(tx: Tx, flags: readonly FlagRow[]): Promise<void> {
  if (flags.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO flags (id, type, certificate_id, vehicle_id, related_certificate_id, plate_number, region, details,
      message, created_at)
    SELECT id, type, "certificateId", "vehicleId", "relatedCertificateId", "plateNumber", region, details, message,
      "createdAt"
    FROM json_to_recordset(${JSON.stringify(flags)}::json) AS row (id uuid, type text, "certificateId" uuid,
      "vehicleId" uuid, "relatedCertificateId" uuid, "plateNumber" text, region text, details jsonb, message text,
      "createdAt" timestamptz)`;
}

function sealJson(keyring: Keyring, value: object, associatedData: string): string {
  return keyring.seal(JSON.stringify(value), associatedData).toString('base64');
}
