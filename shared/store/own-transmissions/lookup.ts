import type { TransmissionSummary } from '../../contract/machine/transmissions/summary.ts';
import { Prisma } from '../../db/generated/client.ts';
import { rowsWhere } from '../../db/look-up.ts';
import type { Db } from '../../db/prisma.ts';
import { SUMMARY_COLUMNS, type SummaryRow, summaryOf } from './summary.ts';

/** The organization's own transmissions with these external ids, by external id (D36). */
export async function findByExternalIds(
  db: Pick<Db, '$queryRaw'>,
  organizationId: string,
  externalIds: readonly string[],
): Promise<Map<string, TransmissionSummary>> {
  const rows = await db.$queryRaw<SummaryRow[]>`
    SELECT ${SUMMARY_COLUMNS} FROM transmissions t
    WHERE t.organization_id = ${organizationId}::uuid AND t.external_transaction_id = ANY(${externalIds}::text[])`;
  return new Map(rows.map((row) => [row.externalTransactionId, summaryOf(row)]));
}

/** The organization's own transmissions with these references, by reference (D36). */
export async function findByReferences(
  db: Pick<Db, '$queryRaw'>,
  organizationId: string,
  references: readonly string[],
): Promise<Map<string, TransmissionSummary>> {
  const isNamed = Prisma.sql`transmission_reference = ANY(${references}::text[])`;
  const rows = await db.$queryRaw<SummaryRow[]>`
    SELECT ${SUMMARY_COLUMNS} FROM ${rowsWhere('transmissions', isNamed)} t
    WHERE t.organization_id = ${organizationId}::uuid`;
  return new Map(rows.map((row) => [row.transmissionReference, summaryOf(row)]));
}
