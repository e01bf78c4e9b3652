import type { OperatorType } from '../../contract/enums.ts';
import { DISCLAIMER } from '../../contract/machine/acknowledgment.ts';
import type {
  OrganizationSummary,
  RecordCancellation,
  RecordDetail,
  RecordFlag,
  RecordTransmission,
} from '../../contract/machine/record.ts';
import { makeAnswerRoom, takeWhileFits } from './answer-room.ts';
import { maskOperator } from './mask-personal.ts';
import {
  type AmendmentRow,
  type CertifiedVehicleRow,
  listAmendments,
  listVersions,
  presentFlag,
  presentTransmission,
  presentVehicle,
  type RecordReader,
  type VersionRow,
  withDiffs,
  withSnapshots,
} from './present-history.ts';
import { type Day, presentSummary, type SummaryRow, timestampOf } from './present-summary.ts';

/** A certificate with its newest history. Its personal data is not masked yet, so only `presentRecord` may receive it. */
export interface RecordRow extends SummaryRow {
  readonly policy: PolicyRow;
  readonly insurerVerificationRef: string | null;
  readonly operatorId: string;
  /** The vehicles that are on the certificate now. */
  readonly vehicles: readonly CertifiedVehicleRow[];
  /** The last removed comes first. All lists below also begin with the newest. */
  readonly removedVehicles: readonly CertifiedVehicleRow[];
  readonly versions: readonly VersionRow[];
  readonly amendments: readonly AmendmentRow[];
  readonly cancellation: RecordCancellation | null;
  /** Open flags come first. */
  readonly flags: readonly RecordFlag[];
  readonly transmissions: readonly RecordTransmission[];
}

export interface PolicyRow {
  readonly issuanceDate: string;
  readonly coverageType: string;
  /** Decimal string. */
  readonly premiumAmount: string | null;
  readonly officialReceiptNumber: string | null;
  readonly remarks: string | null;
  readonly leadInsurer: OrganizationSummary | null;
  readonly managementCompany: OrganizationSummary | null;
}

/**
 * The record detail of api.md. All personal data is masked (D22). An answer never exceeds its maximum size (D33): the vehicles on
 * the certificate have the highest priority, then the newest entries of each list, then the newest diffs and snapshots. The
 * answer has its lists in the order of events.
 */
export function presentRecord(row: RecordRow, day: Day, reader: RecordReader): RecordDetail {
  const summary = presentSummary(row, day);
  const head = {
    ...summary,
    policy: presentPolicy(row),
    insurerVerificationRef: row.insurerVerificationRef,
    operator: presentOperator(row),
    cancellation: row.cancellation && {
      ...row.cancellation,
      createdAt: timestampOf(row.cancellation.createdAt),
    },
    disclaimer: DISCLAIMER,
  };
  const room = makeAnswerRoom();
  room.reserve(head);
  const present = takeWhileFits(room, row.vehicles.map(presentVehicle));
  const versions = listVersions(row.versions, summary.coverageStatus, reader, room);
  const amendments = listAmendments(row.amendments, reader, room);
  const flags = takeWhileFits(
    room,
    row.flags.map((flag) => presentFlag(flag, reader)),
  );
  const removed = takeWhileFits(room, row.removedVehicles.map(presentVehicle));
  const transmissions = takeWhileFits(room, row.transmissions.map(presentTransmission));
  return {
    ...head,
    vehicles: [
      ...row.vehicles.slice(0, present.length),
      ...row.removedVehicles.slice(0, removed.length),
    ]
      .sort((one, other) => one.ordinal - other.ordinal)
      .map(presentVehicle),
    amendments: withDiffs(amendments, row.amendments, room).reverse(),
    versions: withSnapshots(versions, row.versions, room).reverse(),
    flags: flags.sort(inOrderOfEvents),
    transmissions: transmissions.reverse(),
  };
}

function presentPolicy({ policyNumber, policy }: RecordRow): RecordDetail['policy'] {
  const { premiumAmount } = policy;
  return {
    policyNumber,
    issuanceDate: policy.issuanceDate,
    coverageType: policy.coverageType,
    premiumAmount: premiumAmount === null ? null : withCents(premiumAmount),
    officialReceiptNumber: policy.officialReceiptNumber,
    remarks: policy.remarks,
    leadInsurer: policy.leadInsurer,
    managementCompany: policy.managementCompany,
  };
}

function inOrderOfEvents(one: RecordFlag, other: RecordFlag): number {
  const [left, right] = [`${one.createdAt} ${one.id}`, `${other.createdAt} ${other.id}`];
  return left < right ? -1 : Number(left > right);
}

/** The amount with all registered decimals, and at least two. */
function withCents(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

function presentOperator({ operatorId, operator, region }: RecordRow): RecordDetail['operator'] {
  const masked = maskOperator(operator);
  return {
    id: operatorId,
    ...masked,
    name: masked.name ?? '',
    // Level 2 has rejected every other value.
    operatorType: masked.operatorType as OperatorType,
    region,
  };
}
