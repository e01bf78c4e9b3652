import { arrayLiteral } from '../../../db/large-parameters.ts';
import type { Tx } from '../../../db/prisma.ts';
import type { RecordChanges } from '../../../domain/registration/writes.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import { identifierKey } from './identifier-key.ts';

/** Writes what an amendment or cancellation changes of a locked record, after its new claims were granted. */
export async function writeChanges(
  tx: Tx,
  keyring: Keyring,
  changes: RecordChanges,
): Promise<void> {
  await giveUpClaims(tx, changes);
  if (changes.amendment !== null) await writeAmendment(tx, keyring, changes, changes.amendment);
  if (changes.cancellation !== null) {
    await writeCancellation(tx, changes.certificateId, changes.cancellation);
  }
}

/**
 * Gives up the claims on all that the certificate's vehicles were called before this change, but for what it is in force on
 * still. Where it was on other days before, the new claim has taken the place of the old one by now.
 */
async function giveUpClaims(tx: Tx, { certificateId, held }: RecordChanges): Promise<void> {
  const kept = arrayLiteral(held.map(identifierKey));
  await tx.$queryRaw`SELECT give_up_claims(${certificateId}::uuid, ${kept}::bigint[])::text`;
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
  await writeVehicles(tx, changes);
  await tx.$executeRaw`
    UPDATE flags SET status = 'RESOLVED_BY_AMENDMENT'
    WHERE id = ANY(${changes.resolvedFlagIds}::uuid[]) AND status IN ('OPEN', 'REFERRED_TO_INSURER')`;
}

/** Keeps the days on which the certificate covered them, and so must come before it gets other days (D27). */
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

async function writeVehicles(
  tx: Tx,
  { certificateId, changedVehicles }: RecordChanges,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE certificate_vehicles v SET
      registered = c.registered, transmitted = c.transmitted, reference_match = c."referenceMatch"
    FROM jsonb_to_recordset(${JSON.stringify(changedVehicles)}::jsonb) AS c (ordinal int, registered jsonb,
      transmitted jsonb, "referenceMatch" text)
    WHERE v.certificate_id = ${certificateId}::uuid AND v.ordinal = c.ordinal
      -- In rows of earlier releases what is absent is null.
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
