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

/** A certificate with its newest history; personal data still plain, so it goes nowhere but through here. */
export interface RecordRow extends SummaryRow {
  readonly policy: PolicyRow;
  readonly insurerVerificationRef: string | null;
  readonly operatorId: string;
  /** Those on it now. */
  readonly vehicles: readonly CertifiedVehicleRow[];
  /** The last removed first, as all lists below begin with the newest. */
  readonly removedVehicles: readonly CertifiedVehicleRow[];
  readonly versions: readonly VersionRow[];
  readonly amendments: readonly AmendmentRow[];
  readonly cancellation: RecordCancellation | null;
  /** Open ones before the others. */
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
 * api.md, "Record detail"; personal data masked wherever it occurs (D22). Never more than an answer may hold (D33): first what is in
 * force, then each list from its newest on, at last the diffs and snapshots of the newest. Lists are in the order of events.
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
  room.takes(head);
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

/** At least two decimals, and every one that was registered. */
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
    // Level 2 lets only an operator type of the vocabulary be registered.
    operatorType: masked.operatorType as OperatorType,
    region,
  };
}
