import type { Lifecycle, TransmissionKind, TransmissionStatus } from '../../../contract/enums.ts';
import type { ErrorCode } from '../../../contract/errors.ts';
import { Prisma } from '../../../db/generated/client.ts';
import { rowOf } from '../../../db/look-up.ts';
import type { Db } from '../../../db/prisma.ts';
import type { Viewer } from '../../intake/transmissions.ts';
import { isVisibleTo } from '../visible-certificates.ts';
import type { ScannedChange } from './scan-changes.ts';

/** A change that the viewer may see now. */
export interface VisibleChange {
  readonly change: ScannedChange;
  readonly kind: TransmissionKind | null;
  readonly status: TransmissionStatus | null;
  readonly errorCode: ErrorCode | null;
  readonly transmissionReference: string | null;
  /** Null unless the viewer's organization transmitted. */
  readonly externalTransactionId: string | null;
  readonly transmittingOrg: string | null;
  readonly registryReference: string | null;
  /** Null when the viewer does not see the record. */
  readonly certificateId: string | null;
  readonly lifecycle: Lifecycle | null;
  readonly at: Date | null;
}

type Row = Omit<VisibleChange, 'change'> & { readonly place: number };

/**
 * The changes that the viewer may see now, in their order. A change is visible to who sees its record (D23), and to the
 * transmitting organization, the issuing insurer and the regulator of its transmission (D4).
 */
export async function readChanges(
  db: Pick<Db, '$queryRaw'>,
  viewer: Viewer,
  changes: readonly ScannedChange[],
): Promise<VisibleChange[]> {
  if (changes.length === 0) return [];
  const isOwn = Prisma.sql`t.organization_id = ${viewer.organizationId}::uuid`;
  const seesRecord = isVisibleTo(viewer);
  const rows = await db.$queryRaw<Row[]>`
    SELECT asked.place::int AS place, t.kind, t.status, t.error_code AS "errorCode",
      t.transmission_reference AS "transmissionReference",
      CASE WHEN ${isOwn} THEN t.external_transaction_id END AS "externalTransactionId",
      sender.code AS "transmittingOrg", c.registry_reference AS "registryReference",
      CASE WHEN ${seesRecord} THEN c.id END AS "certificateId",
      CASE WHEN ${seesRecord} THEN c.lifecycle END AS lifecycle,
      coalesce(t.completed_at, f.reviewed_at) AS at
    FROM unnest(${changes.map((one) => one.transmissionId)}::uuid[],
      ${changes.map((one) => one.certificateId)}::uuid[], ${changes.map((one) => one.flagId)}::uuid[])
      WITH ORDINALITY AS asked (transmission_id, certificate_id, flag_id, place)
    LEFT JOIN ${rowOf('transmissions', 'asked.transmission_id')} t ON true
    LEFT JOIN organizations sender ON sender.id = t.organization_id
    LEFT JOIN ${rowOf('certificates', 'asked.certificate_id')} c ON true
    LEFT JOIN ${rowOf('policies', 'c.policy_id')} p ON true
    LEFT JOIN ${rowOf('flags', 'asked.flag_id')} f ON true
    WHERE ${viewer.isRegulator}::boolean OR ${isOwn} OR t.issuing_insurer_code = ${viewer.organizationCode}
      OR ${seesRecord}
    ORDER BY asked.place`;
  return rows.flatMap(({ place, ...row }) => {
    const change = changes[place - 1];
    return change === undefined ? [] : [{ ...row, change }];
  });
}
