import {
  ANSWER_BYTES_MAX,
  FLAGS_LISTED_MAX,
  HISTORY_LISTED_MAX,
  SNAPSHOTS_LISTED_MAX,
} from '../../../contract/machine/bounds.ts';
import type { DiffEntry } from '../../../contract/machine/record.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { rowOf, rowsWhere } from '../../../db/look-up.ts';
import { type KeptSnapshot, readSnapshot } from '../../../domain/amendment/snapshot.ts';
import type { AmendmentRow, VersionRow } from '../../../domain/presentation/present-history.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import type { Viewer } from '../../intake/transmissions.ts';
import { isVisibleTo } from '../visible-certificates.ts';
import { openJson, organizationJson } from './record-columns.ts';

// The history of the certificate `c`: each item as JSON, and lists of the newest items (D33). A list reads only the rows that
// it shows, through an index in its order, however long the history is.

/** One row `cv` of certificate_vehicles. */
export const VEHICLE_JSON = Prisma.sql`json_build_object(
  'ordinal', cv.ordinal, 'vehicleId', cv.vehicle_id, 'registered', cv.registered,
  'transmitted', coalesce(cv.transmitted, cv.registered), 'referenceMatch', cv.reference_match,
  'addedInVersion', cv.added_in_version, 'removedInVersion', cv.removed_in_version)`;

export const VEHICLES_JSON = Prisma.sql`(
  SELECT coalesce(json_agg(${VEHICLE_JSON} ORDER BY cv.ordinal), '[]')
  FROM certificate_vehicles cv WHERE cv.certificate_id = c.id AND cv.removed_in_version IS NULL)`;

export const REMOVED_VEHICLES_JSON = Prisma.sql`(
  SELECT coalesce(json_agg(${VEHICLE_JSON} ORDER BY cv.removed_in_version DESC, cv.ordinal DESC), '[]')
  FROM (
    SELECT * FROM certificate_vehicles WHERE certificate_id = c.id AND removed_in_version IS NOT NULL
    ORDER BY removed_in_version DESC, ordinal DESC LIMIT ${HISTORY_LISTED_MAX}) cv)`;

/** A version `v` that the transmission `t` made. `snapshot` is the expression for its sealed snapshot. */
export function versionJson(snapshot: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`json_build_object(
    'version', v.version, 'createdAt', v.created_at, 'supersededAt', v.superseded_at,
    'transmissionReference', t.transmission_reference, 'channel', t.channel, 'actor', t.actor,
    'snapshotSealed', encode(${snapshot}, 'base64'))`;
}

/** The snapshot if the version is one of the newest and the answer has room for it; else null. */
export const NEWEST_SNAPSHOT = Prisma.sql`CASE
  WHEN v.version > c.current_version - ${SNAPSHOTS_LISTED_MAX}::int
    AND sum(octet_length(v.snapshot_sealed)) OVER (ORDER BY v.version DESC) <= ${ANSWER_BYTES_MAX}::int
  THEN v.snapshot_sealed END`;

export const VERSIONS_JSON = Prisma.sql`(
  SELECT coalesce(json_agg(item ORDER BY version DESC), '[]')
  FROM (
    SELECT v.version, ${versionJson(NEWEST_SNAPSHOT)} AS item
    FROM (
      SELECT * FROM certificate_versions WHERE certificate_id = c.id
      ORDER BY version DESC LIMIT ${HISTORY_LISTED_MAX}) v
    CROSS JOIN ${rowOf('transmissions', 'v.transmission_id')} t) listed)`;

/** An amendment `a` that the transmission `t` of the organization `o` made. */
export const AMENDMENT_JSON = Prisma.sql`json_build_object(
  'id', a.id, 'fromVersion', a.from_version, 'toVersion', a.to_version, 'reason', a.reason,
  'diffSealed', CASE
    WHEN sum(octet_length(a.diff_sealed)) OVER (ORDER BY a.to_version DESC) <= ${ANSWER_BYTES_MAX}::int
    THEN encode(a.diff_sealed, 'base64') END,
  'organization', ${organizationJson('o')}, 'actor', t.actor,
  'transmissionReference', t.transmission_reference, 'createdAt', a.created_at)`;

export const AMENDMENTS_JSON = Prisma.sql`(
  SELECT coalesce(json_agg(item ORDER BY to_version DESC), '[]')
  FROM (
    SELECT a.to_version, ${AMENDMENT_JSON} AS item
    FROM (
      SELECT * FROM amendments WHERE certificate_id = c.id
      ORDER BY to_version DESC LIMIT ${HISTORY_LISTED_MAX}) a
    CROSS JOIN ${rowOf('transmissions', 'a.transmission_id')} t
    JOIN organizations o ON o.id = t.organization_id) listed)`;

export const CANCELLATION_JSON = Prisma.sql`(
  SELECT json_build_object(
    'cancellationEffectiveDate', x.cancellation_effective_date, 'reasonCode', x.reason_code,
    'reasonText', x.reason_text, 'supportingReference', x.supporting_reference,
    'documentId', x.document_id, 'organization', ${organizationJson('o')}, 'actor', t.actor,
    'transmissionReference', t.transmission_reference, 'createdAt', x.created_at)
  FROM cancellations x CROSS JOIN ${rowOf('transmissions', 'x.transmission_id')} t
  JOIN organizations o ON o.id = t.organization_id
  WHERE x.certificate_id = c.id)`;

/**
 * A flag `f` joined with `RELATED_TABLES`. Of a related record that the viewer may not see, only its insurer's name is
 * shown (D23).
 */
export function flagJson(viewer: Viewer): Prisma.Sql {
  const isRelatedVisible = isVisibleTo(viewer, { certificate: 'rc', policy: 'rp' });
  return Prisma.sql`json_build_object(
    'id', f.id, 'type', f.type, 'status', f.status, 'certificateId', f.certificate_id,
    'registryReference', c.registry_reference,
    'relatedCertificateId', CASE WHEN ${isRelatedVisible} THEN rc.id END,
    'relatedRegistryReference', CASE WHEN ${isRelatedVisible} THEN rc.registry_reference END,
    'plateNumber', f.plate_number, 'insurerName', insurer.name, 'relatedInsurerName', ro.name,
    'region', f.region, 'details', f.details, 'message', f.message, 'reviewedBy', f.reviewed_by,
    'reviewedAt', f.reviewed_at, 'reviewNotes', f.review_notes, 'createdAt', f.created_at)`;
}

export const RELATED_TABLES = Prisma.sql`
  LEFT JOIN ${rowOf('certificates', 'f.related_certificate_id')} rc ON true
  LEFT JOIN ${rowOf('policies', 'rc.policy_id')} rp ON true
  LEFT JOIN organizations ro ON ro.id = rc.issuing_insurer_id`;

/** Open flags first, then the newest of the others. */
export function flagsJson(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`(
    SELECT coalesce(json_agg(${flagJson(viewer)} ORDER BY f.status = 'OPEN' DESC, f.created_at DESC, f.id DESC), '[]')
    FROM (
      SELECT * FROM (
        (SELECT * FROM flags WHERE certificate_id = c.id AND status = 'OPEN'
          ORDER BY created_at DESC, id DESC LIMIT ${FLAGS_LISTED_MAX})
        UNION ALL
        (SELECT * FROM (
          SELECT * FROM flags WHERE certificate_id = c.id
          ORDER BY created_at DESC, id DESC LIMIT ${FLAGS_LISTED_MAX}) newest
        WHERE status <> 'OPEN')) either
      ORDER BY status = 'OPEN' DESC, created_at DESC, id DESC LIMIT ${FLAGS_LISTED_MAX}) f
    ${RELATED_TABLES})`;
}

/** A transmission `t` of the organization `o`. */
export const TRANSMISSION_JSON = Prisma.sql`json_build_object(
  'id', t.id, 'transmissionReference', t.transmission_reference, 'kind', t.kind,
  'channel', t.channel, 'status', t.status, 'transmittingOrg', ${organizationJson('o')},
  'externalTransactionId', t.external_transaction_id,
  'registryReference', t.acknowledgment->>'registryReference', 'policyNumber', t.policy_number,
  'cocNumber', t.coc_number, 'plateNumbers', coalesce(t.acknowledgment->'plateNumbers', '[]'),
  'errorCode', t.error_code, 'actor', t.actor, 'receivedAt', t.received_at,
  'completedAt', t.completed_at)`;

/** Those that made, changed or tried to change the record, as far as the viewer may look them up (D4). */
export function transmissionsJson(viewer: Viewer): Prisma.Sql {
  const newest = transmissionsAbout(viewer, Prisma.sql`true`, HISTORY_LISTED_MAX);
  return Prisma.sql`(
    SELECT coalesce(json_agg(${TRANSMISSION_JSON} ORDER BY t.sequence DESC), '[]')
    FROM (SELECT id FROM (${newest}) about ORDER BY sequence DESC LIMIT ${HISTORY_LISTED_MAX}) listed
    CROSS JOIN ${rowOf('transmissions', 'listed.id')} t
    JOIN organizations o ON o.id = t.organization_id)`;
}

/**
 * Id and sequence of the newest transmissions `about` the record that meet `condition`, at most `limit` and one more.
 * The issuing insurer and the regulator see all transmissions about a record; other viewers see their own.
 */
export function transmissionsAbout(
  { isRegulator, organizationId, organizationCode }: Viewer,
  condition: Prisma.Sql,
  limit: number,
): Prisma.Sql {
  const seesAll = Prisma.sql`(${isRegulator}::boolean OR c.issuing_insurer_id = ${organizationId}::uuid)`;
  const isOwn = Prisma.sql`about.organization_id = ${organizationId}::uuid`;
  const first = Prisma.sql`(
    SELECT transmission_id FROM certificate_versions WHERE certificate_id = c.id AND version = 1)`;
  const changes = Prisma.sql`transmissions about WHERE about.target_certificate_id = c.id AND ${condition}`;
  const newest = Prisma.sql`ORDER BY about.sequence DESC LIMIT ${limit}`;
  return Prisma.sql`
    SELECT about.id, about.sequence FROM ${rowsWhere('transmissions', Prisma.sql`id = ${first}`)} about
    WHERE (${isRegulator}::boolean OR ${isOwn} OR about.issuing_insurer_code = ${organizationCode})
      AND ${condition}
    UNION ALL
    (SELECT about.id, about.sequence FROM ${changes} AND ${seesAll} ${newest})
    UNION ALL
    (SELECT about.id, about.sequence FROM ${changes} AND NOT ${seesAll} AND ${isOwn} ${newest})`;
}

export type SealedVersion = Omit<VersionRow, 'openSnapshot'> & {
  readonly snapshotSealed: string | null;
};
export type SealedAmendment = Omit<AmendmentRow, 'openDiff'> & {
  readonly diffSealed: string | null;
};

export function openVersion(
  keyring: Keyring,
  certificateId: string,
  { snapshotSealed, ...version }: SealedVersion,
): VersionRow {
  const place = `${certificateId}/${version.version}`;
  return {
    ...version,
    openSnapshot:
      snapshotSealed === null
        ? null
        : () => readSnapshot(openJson<KeptSnapshot>(keyring, snapshotSealed, place)),
  };
}

export function openAmendment(
  keyring: Keyring,
  { diffSealed, ...amendment }: SealedAmendment,
): AmendmentRow {
  return {
    ...amendment,
    openDiff:
      diffSealed === null ? null : () => openJson<DiffEntry[]>(keyring, diffSealed, amendment.id),
  };
}
