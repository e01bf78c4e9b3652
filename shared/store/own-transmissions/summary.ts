import type { TransmissionKind, TransmissionStatus } from '../../contract/enums.ts';
import {
  SUMMARY_FINDINGS_MAX,
  type TransmissionSummary,
} from '../../contract/machine/transmissions/summary.ts';
import { Prisma } from '../../db/generated/client.ts';

/** A row of SUMMARY_COLUMNS. */
export interface SummaryRow {
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  readonly status: TransmissionStatus;
  readonly registryReference: string | null;
  readonly errorCode: string | null;
  /** The first errors of the acknowledgment. */
  readonly findings: TransmissionSummary['findings'];
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly batch: string | null;
  readonly receivedAt: Date;
  readonly completedAt: Date | null;
}

/** The select list of a transmission `t` as its sender sees it in a list. */
export const SUMMARY_COLUMNS = Prisma.sql`
  t.transmission_reference AS "transmissionReference", t.external_transaction_id AS "externalTransactionId",
  t.kind, t.status, t.acknowledgment->>'registryReference' AS "registryReference", t.error_code AS "errorCode",
  coalesce((
    SELECT json_agg(json_build_object('level', error->'level', 'code', error->'code', 'field', error->'field'))
    FROM (
      SELECT error FROM json_array_elements(t.acknowledgment->'errors') AS error
      LIMIT ${SUMMARY_FINDINGS_MAX}::int) AS first), '[]') AS findings,
  t.policy_number AS "policyNumber", t.coc_number AS "cocNumber", t.batch,
  t.received_at AS "receivedAt", t.completed_at AS "completedAt"`;

export function summaryOf(row: SummaryRow): TransmissionSummary {
  return {
    transmissionReference: row.transmissionReference,
    externalTransactionId: row.externalTransactionId,
    kind: row.kind,
    status: row.status,
    registryReference: row.registryReference,
    errorCode: row.errorCode,
    findings: row.findings,
    policyNumber: row.policyNumber,
    cocNumber: row.cocNumber,
    batch: row.batch,
    receivedAt: row.receivedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
