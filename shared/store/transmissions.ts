import type { TransmissionKind, TransmissionStatus } from '../contract/enums.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { RawDb } from './db.ts';
import { Prisma } from './generated/client.ts';

/** A transmission as callers see it. `acknowledgmentJson` is the stored text once it is terminal. */
export interface TransmissionView {
  readonly id: string;
  /** Who transmitted it. */
  readonly organizationId: string;
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

/** By id, whoever asks: for the request that recorded it. */
export async function readTransmissions(
  db: RawDb,
  ids: readonly string[],
): Promise<TransmissionView[]> {
  const rows = await db.$queryRaw<ViewRow[]>`
    SELECT ${VIEW} FROM transmissions WHERE id = ANY(${ids}::uuid[])`;
  return rows.map(viewOf);
}

/** Those of `ids` that are terminal. */
export async function readSettled(db: RawDb, ids: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM transmissions WHERE id = ANY(${ids}::uuid[]) AND completed_at IS NOT NULL`;
  return rows.map(({ id }) => id);
}

/** What a caller calls a transmission by. */
export interface TransmissionName {
  readonly referenceOrExternalId: string;
  readonly viewer: Viewer;
}

/**
 * One answer a name in their order: a transmission reference first, then an external id of the viewer's own
 * organization (D4). Undefined when there is none, or none that the viewer may see.
 */
export async function findTransmissions(
  db: Pick<RawDb, '$queryRaw'>,
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
  return names.map((_, index) => found.get(index + 1));
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
    errorCode: row.error_code,
  };
}
