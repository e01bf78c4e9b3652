import { randomUUID } from 'node:crypto';
import type { DiffEntry } from '../../../shared/contract/machine/record.ts';
import type { RecordWorld } from './record-world.ts';

export interface LongHistory {
  /** The current version. An amendment made each version except the first. */
  readonly versions: number;
  readonly removedVehicles: number;
  readonly resolvedFlags: number;
}

/** Number of the newest snapshots that can be opened. A list must not open older ones. */
const OPENABLE = 10;
const NEVER_OPENED = Buffer.from('never opened');

/** Adds the history of many amendments to a record that has one version. */
export async function growHistory(
  { db, ownerDb, keyring }: RecordWorld,
  registryReference: string,
  { versions, removedVehicles, resolvedFlags }: LongHistory,
): Promise<void> {
  const certificate = await db.certificate.findUniqueOrThrow({ where: { registryReference } });
  const { id } = certificate;
  const first = await db.certificateVersion.findFirstOrThrow({ where: { certificateId: id } });
  const snapshot = keyring.open(Buffer.from(first.snapshotSealed), `${id}/1`).toString();
  const made = Array.from({ length: versions - 1 }, (_, index) => ({
    version: index + 2,
    transmissionId: randomUUID(),
    amendmentId: randomUUID(),
  }));
  await db.$executeRaw`
    INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind, actor,
      status, request_hash, body_sealed, vehicle_count, policy_number, coc_number, issuing_insurer_code,
      target_certificate_id, request_id, received_at, completed_at, acknowledgment, certificate_id)
    SELECT made.id, n, 'PPAI-TX-2026-' || lpad(n::text, 9, '0'), t.organization_id, 'GROWN-' || n, 'AMEND', t.actor,
      'ACCEPTED', t.request_hash, t.body_sealed, t.vehicle_count, t.policy_number, t.coc_number, t.issuing_insurer_code,
      ${id}::uuid, 'grown', t.received_at, t.completed_at,
      json_build_object('registryReference', ${registryReference}::text, 'plateNumbers', t.acknowledgment->'plateNumbers'), ${id}::uuid
    FROM (
      SELECT id, nextval('transmission_sequence') AS n
      FROM unnest(${made.map(({ transmissionId }) => transmissionId)}::uuid[]) WITH ORDINALITY AS ids (id, place)
      ORDER BY place) made
    CROSS JOIN transmissions t WHERE t.id = ${first.transmissionId}::uuid`;
  const isOpenable = (version: number) => version > versions - OPENABLE;
  await db.certificateVersion.createMany({
    data: made.map(({ version, transmissionId }) => ({
      certificateId: id,
      version,
      transmissionId,
      createdAt: first.createdAt,
      supersededAt: version === versions ? null : first.createdAt,
      snapshotSealed: isOpenable(version)
        ? new Uint8Array(keyring.seal(snapshot, `${id}/${version}`))
        : NEVER_OPENED,
    })),
  });
  const diff: DiffEntry[] = [{ path: 'policy.remarks', before: null, after: 'changed' }];
  await db.amendment.createMany({
    data: made.map(({ version, transmissionId, amendmentId }) => ({
      id: amendmentId,
      certificateId: id,
      fromVersion: version - 1,
      toVersion: version,
      reason: `To version ${version}`,
      transmissionId,
      createdAt: first.createdAt,
      diffSealed: new Uint8Array(keyring.seal(JSON.stringify(diff), amendmentId)),
    })),
  });
  await db.$executeRaw`
    UPDATE certificate_versions SET superseded_at = created_at WHERE certificate_id = ${id}::uuid AND version = 1`;
  await db.$executeRaw`UPDATE certificates SET current_version = ${versions} WHERE id = ${id}::uuid`;
  // Each amendment removed one vehicle.
  await db.$executeRaw`
    INSERT INTO certificate_vehicles (certificate_id, ordinal, vehicle_id, registered, transmitted, reference_match,
      added_in_version, removed_in_version)
    SELECT v.certificate_id, 1 + n + (SELECT max(ordinal) FROM certificate_vehicles
        WHERE certificate_id = ${id}::uuid), v.vehicle_id, v.registered, v.transmitted, v.reference_match, 1,
      2 + n % ${versions - 1}::int
    FROM certificate_vehicles v CROSS JOIN generate_series(0, ${removedVehicles - 1}::int) n
    WHERE v.certificate_id = ${id}::uuid AND v.ordinal = 0`;
  await db.$executeRaw`
    INSERT INTO flags (id, type, status, certificate_id, plate_number, region, message, created_at)
    SELECT gen_random_uuid(), 'VEHICLE_MISMATCH', 'RESOLVED_BY_AMENDMENT', ${id}::uuid, 'GONE1', 'NCR', 'of another time',
      ${first.createdAt}::timestamptz + make_interval(secs => n)
    FROM generate_series(1, ${resolvedFlags}::int) n`;
  // As the owner: PostgreSQL skips tables of other owners with only a warning.
  await ownerDb.$executeRawUnsafe('ANALYZE');
}
