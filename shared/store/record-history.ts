import { Prisma } from './generated/client.ts';
import { rowOf, rowsWhere } from './look-up.ts';
import { organizationJson } from './record-columns.ts';
import type { Viewer } from './transmissions.ts';
import { isVisibleTo } from './visible-certificates.ts';

// Subqueries over the history of the certificate `c`, each a JSON list in the order of events.

export const VEHICLES_JSON = Prisma.sql`(
  SELECT coalesce(json_agg(json_build_object(
    'vehicleId', cv.vehicle_id, 'registered', cv.registered, 'transmitted', coalesce(cv.transmitted, cv.registered),
    'referenceMatch', cv.reference_match, 'addedInVersion', cv.added_in_version,
    'removedInVersion', cv.removed_in_version) ORDER BY cv.ordinal), '[]')
  FROM certificate_vehicles cv WHERE cv.certificate_id = c.id)`;

export const VERSIONS_JSON = Prisma.sql`(
  SELECT coalesce(json_agg(json_build_object(
    'version', v.version, 'createdAt', v.created_at, 'supersededAt', v.superseded_at,
    'transmissionReference', t.transmission_reference, 'channel', t.channel, 'actor', t.actor,
    'snapshotSealed', encode(v.snapshot_sealed, 'base64')) ORDER BY v.version), '[]')
  FROM certificate_versions v CROSS JOIN ${rowOf('transmissions', 'v.transmission_id')} t
  WHERE v.certificate_id = c.id)`;

export const AMENDMENTS_JSON = Prisma.sql`(
  SELECT coalesce(json_agg(json_build_object(
    'id', a.id, 'fromVersion', a.from_version, 'toVersion', a.to_version, 'reason', a.reason,
    'diffSealed', encode(a.diff_sealed, 'base64'), 'organization', ${organizationJson('o')},
    'actor', t.actor, 'transmissionReference', t.transmission_reference,
    'createdAt', a.created_at) ORDER BY a.to_version), '[]')
  FROM amendments a CROSS JOIN ${rowOf('transmissions', 'a.transmission_id')} t
  JOIN organizations o ON o.id = t.organization_id
  WHERE a.certificate_id = c.id)`;

export const CANCELLATION_JSON = Prisma.sql`(
  SELECT json_build_object(
    'cancellationEffectiveDate', x.cancellation_effective_date, 'reasonCode', x.reason_code,
    'reasonText', x.reason_text, 'supportingReference', x.supporting_reference,
    'documentId', x.document_id, 'organization', ${organizationJson('o')}, 'actor', t.actor,
    'transmissionReference', t.transmission_reference, 'createdAt', x.created_at)
  FROM cancellations x CROSS JOIN ${rowOf('transmissions', 'x.transmission_id')} t
  JOIN organizations o ON o.id = t.organization_id
  WHERE x.certificate_id = c.id)`;

/** A related record that the viewer may not see keeps its insurer's name, and nothing else (D23). */
export function flagsJson(viewer: Viewer): Prisma.Sql {
  const isRelatedVisible = isVisibleTo(viewer, { certificate: 'rc', policy: 'rp' });
  return Prisma.sql`(
    SELECT coalesce(json_agg(json_build_object(
      'id', f.id, 'type', f.type, 'status', f.status, 'certificateId', f.certificate_id,
      'registryReference', c.registry_reference,
      'relatedCertificateId', CASE WHEN ${isRelatedVisible} THEN rc.id END,
      'relatedRegistryReference', CASE WHEN ${isRelatedVisible} THEN rc.registry_reference END,
      'plateNumber', f.plate_number, 'insurerName', insurer.name, 'relatedInsurerName', ro.name,
      'region', f.region, 'details', f.details, 'message', f.message, 'reviewedBy', f.reviewed_by,
      'reviewedAt', f.reviewed_at, 'reviewNotes', f.review_notes,
      'createdAt', f.created_at) ORDER BY f.created_at, f.id), '[]')
    FROM flags f
    LEFT JOIN ${rowOf('certificates', 'f.related_certificate_id')} rc ON true
    LEFT JOIN ${rowOf('policies', 'rc.policy_id')} rp ON true
    LEFT JOIN organizations ro ON ro.id = rc.issuing_insurer_id
    WHERE f.certificate_id = c.id)`;
}

/**
 * Those that made, changed or tried to change the record, as far as the viewer may look them up (D4), the
 * newest last.
 */
export function transmissionsJson(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce(json_agg(json_build_object(
      'id', t.id, 'transmissionReference', t.transmission_reference, 'kind', t.kind,
      'channel', t.channel, 'status', t.status, 'transmittingOrg', ${organizationJson('o')},
      'externalTransactionId', t.external_transaction_id,
      'registryReference', t.acknowledgment->>'registryReference', 'policyNumber', t.policy_number,
      'cocNumber', t.coc_number, 'plateNumbers', coalesce(t.acknowledgment->'plateNumbers', '[]'),
      'errorCode', t.error_code, 'actor', t.actor, 'receivedAt', t.received_at,
      'completedAt', t.completed_at) ORDER BY t.sequence), '[]')
    FROM (
      SELECT id FROM ${rowsWhere('transmissions', Prisma.sql`certificate_id = c.id`)} AS made
      UNION SELECT id FROM ${rowsWhere('transmissions', Prisma.sql`target_certificate_id = c.id`)} AS changed
    ) AS about
    CROSS JOIN ${rowOf('transmissions', 'about.id')} t
    JOIN organizations o ON o.id = t.organization_id
    WHERE ${viewer.isRegulator}::boolean OR t.organization_id = ${viewer.organizationId}::uuid
      OR t.issuing_insurer_code = ${viewer.organizationCode})`;
}
