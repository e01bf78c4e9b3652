import type { FlagStatus, FlagType, Lifecycle } from '../../contract/enums.ts';
import type { Tx } from '../../db/prisma.ts';
import type { CurrentRecord, VehiclePlace } from '../../domain/amendment/record.ts';
import { type KeptSnapshot, readSnapshot } from '../../domain/amendment/snapshot.ts';
import type { Keyring } from '../../platform/secrets/sealing.ts';

interface RecordRow {
  registry_reference: string;
  lifecycle: Lifecycle;
  current_version: number;
  policy_id: string;
  operator_id: string;
  sharing: number;
  snapshot_sealed: Uint8Array;
  places: VehiclePlace[];
  next_ordinal: number;
  flags: { id: string; type: FlagType; status: FlagStatus; vehicleId: string | null }[];
}

/**
 * Locks a record until the transaction ends and reads it. Amendments and cancellations of one record run one after another,
 * each on the version that the previous one made. `withPolicy` also locks the policy whose details may change, so that no
 * certificate joins it in the meantime.
 */
export async function lockRecord(
  tx: Tx,
  keyring: Keyring,
  certificateId: string,
  { withPolicy }: { readonly withPolicy: boolean },
): Promise<CurrentRecord> {
  await tx.$queryRaw`SELECT id FROM certificates WHERE id = ${certificateId}::uuid FOR UPDATE`;
  if (withPolicy) {
    await tx.$queryRaw`
      SELECT id FROM policies
      WHERE id = (SELECT policy_id FROM certificates WHERE id = ${certificateId}::uuid) FOR UPDATE`;
  }
  const [row] = await tx.$queryRaw<RecordRow[]>`
    SELECT c.registry_reference, c.lifecycle, c.current_version, c.policy_id, c.operator_id, v.snapshot_sealed,
      (SELECT count(*)::int FROM certificates o WHERE o.policy_id = c.policy_id AND o.id <> c.id) AS sharing,
      (SELECT coalesce(json_agg(json_build_object('ordinal', ordinal, 'vehicleId', vehicle_id) ORDER BY ordinal), '[]')
        FROM certificate_vehicles WHERE certificate_id = c.id AND removed_in_version IS NULL) AS places,
      (SELECT coalesce(max(ordinal) + 1, 0) FROM certificate_vehicles WHERE certificate_id = c.id) AS next_ordinal,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'type', type, 'status', status, 'vehicleId', vehicle_id)), '[]')
        FROM flags WHERE certificate_id = c.id AND status <> 'RESOLVED_BY_AMENDMENT') AS flags
    FROM certificates c
    JOIN certificate_versions v ON v.certificate_id = c.id AND v.version = c.current_version
    WHERE c.id = ${certificateId}::uuid`;
  if (row === undefined) throw new Error('the record of a transmission is gone');
  const snapshot = keyring.open(
    Buffer.from(row.snapshot_sealed),
    `${certificateId}/${row.current_version}`,
  );
  return {
    certificateId,
    registryReference: row.registry_reference,
    lifecycle: row.lifecycle,
    version: row.current_version,
    policyId: row.policy_id,
    certificatesSharingPolicy: row.sharing,
    operatorId: row.operator_id,
    submission: readSnapshot(JSON.parse(snapshot.toString()) as KeptSnapshot),
    places: row.places,
    nextOrdinal: row.next_ordinal,
    flags: row.flags,
  };
}
