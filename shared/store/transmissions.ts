import type { TransmissionKind, TransmissionStatus } from '../contract/enums.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Db } from './db.ts';

/** A transmission as callers see it. `acknowledgmentJson` is the stored text once it is terminal. */
export interface TransmissionView {
  readonly id: string;
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  readonly status: TransmissionStatus;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly receivedAt: Date;
  readonly acknowledgmentJson: string | null;
  readonly errorCode: ErrorCode | null;
}

/** Who looks; the regulator sees all. */
export interface Viewer {
  readonly organizationId: string;
  readonly organizationCode: string;
  readonly isRegulator: boolean;
}

interface ViewRow {
  id: string;
  transmission_reference: string;
  external_transaction_id: string;
  kind: TransmissionKind;
  status: TransmissionStatus;
  policy_number: string | null;
  coc_number: string | null;
  received_at: Date;
  acknowledgment: string | null;
  error_code: ErrorCode | null;
}

/** By id, whoever asks: for the request that recorded it. */
export async function readTransmissions(
  db: Db,
  ids: readonly string[],
): Promise<TransmissionView[]> {
  const rows = await db.$queryRaw<ViewRow[]>`
    SELECT id, transmission_reference, external_transaction_id, kind, status, policy_number, coc_number,
      received_at, acknowledgment::text AS acknowledgment, error_code
    FROM transmissions WHERE id = ANY(${ids}::uuid[])`;
  return rows.map(viewOf);
}

/** Those of `ids` that are terminal. */
export async function readSettled(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM transmissions WHERE id = ANY(${ids}::uuid[]) AND completed_at IS NOT NULL`;
  return rows.map(({ id }) => id);
}

/**
 * A transmission reference first, then an external id of the viewer's own organization (D4).
 * Undefined when there is none, or none that the viewer may see.
 */
export async function findTransmission(
  db: Db,
  referenceOrExternalId: string,
  viewer: Viewer,
): Promise<TransmissionView | undefined> {
  const rows = await db.$queryRaw<ViewRow[]>`
    SELECT id, transmission_reference, external_transaction_id, kind, status, policy_number, coc_number,
      received_at, acknowledgment::text AS acknowledgment, error_code
    FROM transmissions
    WHERE transmission_reference = ${referenceOrExternalId}
      AND (organization_id = ${viewer.organizationId}::uuid
        OR issuing_insurer_code = ${viewer.organizationCode}
        OR ${viewer.isRegulator})
    UNION ALL
    SELECT id, transmission_reference, external_transaction_id, kind, status, policy_number, coc_number,
      received_at, acknowledgment::text AS acknowledgment, error_code
    FROM transmissions
    WHERE organization_id = ${viewer.organizationId}::uuid
      AND external_transaction_id = ${referenceOrExternalId}
    LIMIT 1`;
  const [row] = rows;
  return row === undefined ? undefined : viewOf(row);
}

function viewOf(row: ViewRow): TransmissionView {
  return {
    id: row.id,
    transmissionReference: row.transmission_reference,
    externalTransactionId: row.external_transaction_id,
    kind: row.kind,
    status: row.status,
    policyNumber: row.policy_number,
    cocNumber: row.coc_number,
    receivedAt: row.received_at,
    acknowledgmentJson: row.acknowledgment,
    errorCode: row.error_code,
  };
}
