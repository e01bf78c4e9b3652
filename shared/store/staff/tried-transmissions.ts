import type { TerminalStatus } from '../../contract/enums.ts';
import type { OrganizationSummary } from '../../contract/machine/record.ts';
import type { Tx } from '../../db/prisma.ts';
import { organizationJson } from '../registry/records/record-columns.ts';

/** A decided CREATE transmission that a trial judges again. */
export interface TriedTransmissionRow {
  readonly id: string;
  readonly transmissionReference: string;
  readonly externalTransactionId: string;
  readonly organizationId: string;
  readonly transmittingOrg: OrganizationSummary;
  readonly status: TerminalStatus;
  readonly vehicleCount: number;
  readonly bodySealed: Uint8Array;
  readonly receivedAt: Date;
  readonly completedAt: Date;
}

/** The last decided CREATE transmissions, the latest first: at most `last`, with at most `vehiclesMax` vehicles together. */
export async function readLastDecided(
  tx: Tx,
  { last, vehiclesMax }: { readonly last: number; readonly vehiclesMax: number },
): Promise<TriedTransmissionRow[]> {
  return tx.$queryRaw<TriedTransmissionRow[]>`
    WITH latest AS (
      SELECT id, transmission_reference, vehicle_count FROM transmissions
      WHERE kind = 'CREATE' AND status IN ('ACCEPTED', 'FLAGGED', 'REJECTED')
      ORDER BY transmission_reference DESC LIMIT ${last}
    ), weighed AS (
      SELECT id, sum(greatest(vehicle_count, 1)) OVER (ORDER BY transmission_reference DESC) AS vehicles FROM latest
    )
    SELECT t.id::text, t.transmission_reference AS "transmissionReference",
      t.external_transaction_id AS "externalTransactionId", t.organization_id::text AS "organizationId",
      ${organizationJson('o')} AS "transmittingOrg", t.status, t.vehicle_count AS "vehicleCount",
      t.body_sealed AS "bodySealed", t.received_at AS "receivedAt", t.completed_at AS "completedAt"
    FROM weighed JOIN transmissions t ON t.id = weighed.id JOIN organizations o ON o.id = t.organization_id
    WHERE weighed.vehicles <= ${vehiclesMax} ORDER BY t.transmission_reference DESC`;
}

/** The times at which these records were registered. */
export async function readRegistrationTimes(
  tx: Tx,
  certificateIds: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  const rows = await tx.certificate.findMany({
    where: { id: { in: [...certificateIds] } },
    select: { id: true, registeredAt: true },
  });
  return new Map(rows.map(({ id, registeredAt }) => [id, registeredAt]));
}
