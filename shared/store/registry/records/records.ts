import { Prisma } from '../../../db/generated/client.ts';
import type { Db } from '../../../db/prisma.ts';
import type { PolicyRow, RecordRow } from '../../../domain/presentation/present-record.ts';
import type { Keyring } from '../../../platform/secrets/sealing.ts';
import type { Viewer } from '../../intake/transmissions.ts';
import { isVisibleTo } from '../visible-certificates.ts';
import {
  expiringWithinDaysAt,
  openSummary,
  organizationJson,
  type SealedSummary,
  SUMMARY_JSON,
  summaryTables,
} from './record-columns.ts';
import {
  AMENDMENTS_JSON,
  CANCELLATION_JSON,
  flagsJson,
  openAmendment,
  openVersion,
  REMOVED_VEHICLES_JSON,
  type SealedAmendment,
  type SealedVersion,
  transmissionsJson,
  VEHICLES_JSON,
  VERSIONS_JSON,
} from './record-history.ts';

export interface FoundRecord {
  readonly record: RecordRow;
  readonly expiringWithinDays: number;
}

interface SealedRecord
  extends Pick<
    RecordRow,
    | 'insurerVerificationRef'
    | 'vehicles'
    | 'removedVehicles'
    | 'cancellation'
    | 'flags'
    | 'transmissions'
  > {
  readonly summary: SealedSummary;
  readonly policy: PolicyRow;
  readonly versions: readonly SealedVersion[];
  readonly amendments: readonly SealedAmendment[];
}

/**
 * One record with its newest history (D33). One statement sees one snapshot. Undefined when the record does not exist or the
 * viewer may not see it (D23). `now` selects the active rule set.
 */
export async function findRecord(
  db: Pick<Db, '$queryRaw'>,
  keyring: Keyring,
  registryReference: string,
  viewer: Viewer,
  now: Date,
): Promise<FoundRecord | undefined> {
  const [found] = await db.$queryRaw<{ record: SealedRecord; expiringWithinDays: number | null }[]>`
    SELECT ${expiringWithinDaysAt(now)} AS "expiringWithinDays", json_build_object(
      'summary', ${SUMMARY_JSON},
      'policy', json_build_object('issuanceDate', p.issuance_date, 'coverageType', p.coverage_type,
        'premiumAmount', p.premium_amount::text, 'officialReceiptNumber', p.official_receipt_number,
        'remarks', p.remarks, 'leadInsurer', ${organizationJson('lead')},
        'managementCompany', ${organizationJson('management')}),
      'insurerVerificationRef', c.insurer_verification_reference,
      'vehicles', ${VEHICLES_JSON}, 'removedVehicles', ${REMOVED_VEHICLES_JSON},
      'versions', ${VERSIONS_JSON}, 'amendments', ${AMENDMENTS_JSON},
      'cancellation', ${CANCELLATION_JSON}, 'flags', ${flagsJson(viewer)},
      'transmissions', ${transmissionsJson(viewer)}) AS record
    FROM ${summaryTables(Prisma.sql`registry_reference = ${registryReference}`)}
    LEFT JOIN insurance_pools ip ON ip.organization_id = p.pool_id
    LEFT JOIN organizations lead ON lead.id = ip.lead_insurer_id
    LEFT JOIN organizations management ON management.id = ip.management_company_id
    WHERE ${isVisibleTo(viewer)}`;
  if (found === undefined) return undefined;
  const { record, expiringWithinDays } = found;
  if (expiringWithinDays === null) throw new Error('no rule set is active');
  return { record: openRecord(keyring, record), expiringWithinDays };
}

function openRecord(keyring: Keyring, { summary, ...sealed }: SealedRecord): RecordRow {
  return {
    ...sealed,
    ...openSummary(keyring, summary),
    operatorId: summary.operatorId,
    versions: sealed.versions.map((version) => openVersion(keyring, summary.id, version)),
    amendments: sealed.amendments.map((amendment) => openAmendment(keyring, amendment)),
  };
}
