import type { TransmissionKind, TransmissionStatus } from '../../contract/enums.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { Prisma } from '../../db/generated/client.ts';
import type { Db } from '../../db/prisma.ts';
import { relatedReferences } from '../../domain/presentation/acknowledge.ts';
import { showAcknowledgments } from './shown-acknowledgments.ts';

/** A transmission as a viewer may see it. `acknowledgmentJson` is the stored text of a terminal transmission, else null. */
export interface TransmissionView {
  readonly id: string;
  /** The organization that transmitted it. */
  readonly organizationId: string;
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly kind: TransmissionKind;
  readonly status: TransmissionStatus;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly receivedAt: Date;
  readonly acknowledgmentJson: string | null;
  /** Whether the acknowledgment names related records, whose visibility may change (D23). */
  readonly namesRelated: boolean;
  readonly errorCode: ErrorCode | null;
}

/** The organization on whose behalf data is read. The regulator sees everything. */
export interface Viewer {
  readonly organizationId: string;
  readonly organizationCode: string;
  readonly isRegulator: boolean;
}

interface ViewRow {
  id: string;
  organization_id: string;
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

const VIEW = Prisma.sql`id, organization_id, transmission_reference, external_transaction_id, kind, status,
  policy_number, coc_number, received_at, acknowledgment::text AS acknowledgment, error_code`;

/** A transmission id and the viewer who reads it. */
export interface TransmissionId {
  readonly id: string;
  readonly viewer: Viewer;
}

/** One answer for each id, in their order, as its viewer may see it; undefined when there is no such transmission. */
export async function readTransmissions(
  db: Db,
  asked: readonly TransmissionId[],
): Promise<(TransmissionView | undefined)[]> {
  const rows = await db.$queryRaw<ViewRow[]>`
    SELECT ${VIEW} FROM transmissions WHERE id = ANY(${asked.map(({ id }) => id)}::uuid[])`;
  const views = new Map(rows.map((row) => [row.id, viewOf(row)]));
  return showAcknowledgments(
    db,
    asked.map(({ id, viewer }) => ({ view: views.get(id), viewer })),
  );
}

/** The ids of the given transmissions that are terminal. */
export async function readSettled(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM transmissions WHERE id = ANY(${ids}::uuid[]) AND completed_at IS NOT NULL`;
  return rows.map(({ id }) => id);
}

/** The name by which a caller refers to a transmission. */
export interface TransmissionName {
  readonly referenceOrExternalId: string;
  readonly viewer: Viewer;
}

/**
 * One answer for each name, in their order: the transmission with this reference, else with this external id in the viewer's
 * own organization (D4). Undefined when there is none or the viewer may not see it.
 */
export async function findTransmissions(
  db: Pick<Db, '$queryRaw'>,
  names: readonly TransmissionName[],
): Promise<(TransmissionView | undefined)[]> {
  const viewers = names.map(({ viewer }) => viewer);
  const rows = await db.$queryRaw<(ViewRow & { place: number })[]>`
    SELECT asked.place::int AS place, found.*
    FROM unnest(
      ${names.map(({ referenceOrExternalId }) => referenceOrExternalId)}::text[],
      ${viewers.map(({ organizationId }) => organizationId)}::uuid[],
      ${viewers.map(({ organizationCode }) => organizationCode)}::text[],
      ${viewers.map(({ isRegulator }) => isRegulator)}::boolean[])
      WITH ORDINALITY AS asked (name, organization_id, organization_code, is_regulator, place)
    CROSS JOIN LATERAL (
      SELECT ${VIEW} FROM transmissions t
      WHERE t.transmission_reference = asked.name
        AND (t.organization_id = asked.organization_id
          OR t.issuing_insurer_code = asked.organization_code
          OR asked.is_regulator)
      UNION ALL
      SELECT ${VIEW} FROM transmissions t
      WHERE t.organization_id = asked.organization_id AND t.external_transaction_id = asked.name
      LIMIT 1
    ) AS found`;
  const found = new Map(rows.map((row) => [row.place, viewOf(row)]));
  return showAcknowledgments(
    db,
    names.map(({ viewer }, index) => ({ view: found.get(index + 1), viewer })),
  );
}

function viewOf(row: ViewRow): TransmissionView {
  return {
    id: row.id,
    organizationId: row.organization_id,
    transmissionReference: row.transmission_reference,
    externalTransactionId: row.external_transaction_id,
    kind: row.kind,
    status: row.status,
    policyNumber: row.policy_number,
    cocNumber: row.coc_number,
    receivedAt: row.received_at,
    acknowledgmentJson: row.acknowledgment,
    namesRelated: relatedReferences(row.acknowledgment).length > 0,
    errorCode: row.error_code,
  };
}
