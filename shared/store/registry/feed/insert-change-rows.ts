import type { ChangeType } from '../../../contract/machine/changes.ts';
import { rowOf } from '../../../db/look-up.ts';
import type { Tx } from '../../../db/prisma.ts';
import { CHANGE_TYPE_NUMBERS, REGULATOR_FEED } from './change-types.ts';

/** A change of the feed (D37). */
export interface Change {
  readonly type: ChangeType;
  readonly transmissionId: string | null;
  /** Null for a transmission that was rejected. */
  readonly certificateId: string | null;
  readonly flagId: string | null;
}

/**
 * Adds changes to the feeds of all organizations that see them: the transmitting organization, the issuing insurer and the
 * regulator, and for a record also its transmitting organization and its pool with lead insurer and management company (D4, D23).
 *
 * It runs after all other writes of the transaction. The share lock on the pools makes a change of lead or management wait for
 * this transaction, or this transaction for the change. In the first case the new lead gets the record by the note of the change
 * (`notePoolViewers`), in the second case by this change.
 */
export async function insertChangeRows(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map((change, place) => ({
    ...change,
    place,
    type: CHANGE_TYPE_NUMBERS[change.type],
  }));
  await tx.$executeRaw`
    WITH change AS MATERIALIZED (
      SELECT row.*, c.current_version, t.organization_id AS sender_id, c.transmitting_organization_id,
        coalesce(c.issuing_insurer_id, insurer.id) AS insurer_id, p.pool_id
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (place int, type smallint,
        "transmissionId" uuid, "certificateId" uuid, "flagId" uuid)
      LEFT JOIN ${rowOf('transmissions', 'row."transmissionId"')} t ON true
      LEFT JOIN ${rowOf('certificates', 'row."certificateId"')} c ON true
      LEFT JOIN ${rowOf('policies', 'c.policy_id')} p ON true
      LEFT JOIN organizations insurer ON insurer.code = t.issuing_insurer_code
    ), pool AS MATERIALIZED (
      SELECT * FROM insurance_pools WHERE organization_id IN (SELECT pool_id FROM change)
      ORDER BY organization_id FOR SHARE
    )
    INSERT INTO changes (organization_id, transmission_id, certificate_id, flag_id, type, version)
    SELECT viewer.id, change."transmissionId", change."certificateId", change."flagId", change.type,
      change.current_version
    FROM change
    LEFT JOIN pool ON pool.organization_id = change.pool_id
    CROSS JOIN LATERAL (
      SELECT DISTINCT id
      FROM unnest(ARRAY[change.sender_id, change.insurer_id, change.transmitting_organization_id,
        pool.organization_id, pool.lead_insurer_id, pool.management_company_id, ${REGULATOR_FEED}::uuid]) AS id
      WHERE id IS NOT NULL) AS viewer
    ORDER BY change.place, viewer.id`;
}
