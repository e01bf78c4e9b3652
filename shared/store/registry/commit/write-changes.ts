import type { Tx } from '../../../db/prisma.ts';
import type { RecordChanges } from '../../../domain/registration/writes.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';

/**
 * Writes the changes of an amendment or cancellation to a locked record, except its covers: `reserveIdentifiers` has replaced
 * and removed these.
 */
export async function writeChanges(
  tx: Tx,
  keyring: Keyring,
  changes: RecordChanges,
): Promise<void> {
  if (changes.amendment !== null) await writeAmendment(tx, keyring, changes, changes.amendment);
  if (changes.cancellation !== null) {
    await writeCancellation(tx, changes.certificateId, changes.cancellation);
  }
}

async function writeAmendment(
  tx: Tx,
  keyring: Keyring,
  changes: RecordChanges,
  amendment: NonNullable<RecordChanges['amendment']>,
): Promise<void> {
  const { certificateId, certificate, policy } = changes;
  await removeVehicles(tx, changes, amendment.toVersion);
  const diffSealed = keyring.seal(JSON.stringify(amendment.diff), amendment.id);
  await tx.$executeRaw`
    INSERT INTO amendments (id, certificate_id, from_version, to_version, reason, diff_sealed, transmission_id, created_at)
    VALUES (${amendment.id}::uuid, ${certificateId}::uuid, ${amendment.fromVersion}, ${amendment.toVersion},
      ${amendment.reason}, ${diffSealed}, ${amendment.transmissionId}::uuid, ${amendment.createdAt})`;
  await tx.$executeRaw`
    UPDATE certificate_versions SET superseded_at = ${amendment.createdAt}
    WHERE certificate_id = ${certificateId}::uuid AND version = ${amendment.fromVersion}`;
  if (certificate !== null) {
    const { operator, operatorId } = certificate;
    await tx.$executeRaw`
      UPDATE certificates SET
        current_version = ${certificate.version},
        effective_date = ${certificate.effectiveDate}::date,
        expiration_date = ${certificate.expirationDate}::date,
        insurer_verification_reference = ${certificate.insurerVerificationReference},
        operator_sealed = ${keyring.seal(JSON.stringify(operator), operatorId)},
        operator_region = ${certificate.operatorRegion}
      WHERE id = ${certificateId}::uuid`;
  }
  if (policy !== null) {
    await tx.$executeRaw`
      UPDATE policies SET
        issuance_date = ${policy.issuanceDate}::date,
        coverage_type = ${policy.coverageType},
        premium_amount = ${policy.premiumAmount}::numeric,
        official_receipt_number = ${policy.officialReceiptNumber},
        remarks = ${policy.remarks},
        pool_id = ${policy.poolId}::uuid
      WHERE id = ${policy.id}::uuid`;
  }
  await updateCertificateVehicles(tx, changes);
  await tx.$executeRaw`
    UPDATE flags SET status = 'RESOLVED_BY_AMENDMENT'
    WHERE id = ANY(${changes.resolvedFlagIds}::uuid[]) AND status IN ('OPEN', 'REFERRED_TO_INSURER')`;
}

/** Stores the days on which the certificate covered the removed vehicles, so it must run before the certificate's days change (D27). */
async function removeVehicles(
  tx: Tx,
  { certificateId, removedOrdinals }: RecordChanges,
  version: number,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE certificate_vehicles v SET
      removed_in_version = ${version}, covered_from = c.effective_date, covered_until = c.expiration_date
    FROM certificates c
    WHERE c.id = ${certificateId}::uuid AND v.certificate_id = c.id AND v.ordinal = ANY(${removedOrdinals}::int[])`;
}

async function updateCertificateVehicles(
  tx: Tx,
  { certificateId, changedVehicles }: RecordChanges,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE certificate_vehicles v SET
      registered = c.registered, transmitted = c.transmitted, reference_match = c."referenceMatch"
    FROM jsonb_to_recordset(${JSON.stringify(changedVehicles)}::jsonb) AS c (ordinal int, registered jsonb,
      transmitted jsonb, "referenceMatch" text)
    WHERE v.certificate_id = ${certificateId}::uuid AND v.ordinal = c.ordinal
      -- Earlier releases stored null for absent members.
      AND (jsonb_strip_nulls(v.registered), v.transmitted, v.reference_match)
        IS DISTINCT FROM (c.registered, c.transmitted, c."referenceMatch")`;
}

async function writeCancellation(
  tx: Tx,
  certificateId: string,
  cancellation: NonNullable<RecordChanges['cancellation']>,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE certificates SET lifecycle = 'CANCELLED' WHERE id = ${certificateId}::uuid`;
  await tx.$executeRaw`
    INSERT INTO cancellations (certificate_id, cancellation_effective_date, reason_code, reason_text,
      supporting_reference, transmission_id, created_at)
    VALUES (${certificateId}::uuid, ${cancellation.cancellationEffectiveDate}::date, ${cancellation.reasonCode},
      ${cancellation.reasonText}, ${cancellation.supportingReference}, ${cancellation.transmissionId}::uuid,
      ${cancellation.createdAt})`;
}
