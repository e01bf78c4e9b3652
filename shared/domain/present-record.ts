import { DISCLAIMER } from '../contract/acknowledgment.ts';
import type { CoverageStatus, OperatorType, ReferenceMatchResult } from '../contract/enums.ts';
import type {
  DiffEntry,
  OrganizationSummary,
  RecordAmendment,
  RecordCancellation,
  RecordDetail,
  RecordFlag,
  RecordTransmission,
  RecordVehicle,
  RecordVersion,
} from '../contract/record.ts';
import { maskDiff, maskOperator, maskSnapshot } from './mask-personal.ts';
import { maskReviewer } from './masking.ts';
import {
  type Day,
  presentSummary,
  type SummaryRow,
  timestampOf,
  timestampOrNull,
} from './present-summary.ts';
import type { Submission } from './submission.ts';

/** A certificate with its whole history; personal data still plain, so it goes nowhere but through here. */
export interface RecordRow extends SummaryRow {
  readonly policy: PolicyRow;
  readonly insurerVerificationRef: string | null;
  readonly operatorId: string;
  /** Removed ones too, in the order in which they came onto the certificate. */
  readonly vehicles: readonly CertifiedVehicleRow[];
  readonly versions: readonly VersionRow[];
  readonly amendments: readonly AmendmentRow[];
  readonly cancellation: RecordCancellation | null;
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

/** What is absent of a vehicle is left out of what is kept, and null in rows of earlier releases. */
type MayBeAbsent = 'make' | 'model' | 'yearModel' | 'caseNumber' | 'cpcNumber';

export interface CertifiedVehicleRow {
  readonly vehicleId: string;
  readonly registered: Omit<RecordVehicle['vehicle'], 'id' | MayBeAbsent> &
    Partial<Pick<RecordVehicle['vehicle'], MayBeAbsent>>;
  readonly transmitted: RecordVehicle['transmitted'];
  readonly referenceMatch: ReferenceMatchResult | null;
  readonly addedInVersion: number;
  readonly removedInVersion: number | null;
}

export interface VersionRow extends Omit<RecordVersion, 'coverageStatus' | 'snapshot'> {
  readonly snapshot: Submission;
}

export interface AmendmentRow extends Omit<RecordAmendment, 'diff'> {
  readonly diff: readonly DiffEntry[];
}

/** Staff see which of them reviewed a flag. */
export type RecordReader = 'ORGANIZATION' | 'STAFF';

/** api.md, "Record detail"; personal data masked wherever it occurs (D22). */
export function presentRecord(
  row: RecordRow,
  day: Day,
  reader: RecordReader = 'ORGANIZATION',
): RecordDetail {
  const summary = presentSummary(row, day);
  return {
    ...summary,
    policy: presentPolicy(row),
    insurerVerificationRef: row.insurerVerificationRef,
    operator: presentOperator(row),
    vehicles: row.vehicles.map(presentVehicle),
    versions: row.versions.map((version) => presentVersion(version, summary.coverageStatus)),
    amendments: row.amendments.map(presentAmendment),
    cancellation: row.cancellation && {
      ...row.cancellation,
      createdAt: timestampOf(row.cancellation.createdAt),
    },
    flags: row.flags.map((flag) => ({
      ...flag,
      reviewedBy: reader === 'STAFF' ? flag.reviewedBy : maskReviewer(flag.reviewedBy),
      reviewedAt: timestampOrNull(flag.reviewedAt),
      createdAt: timestampOf(flag.createdAt),
    })),
    transmissions: row.transmissions.map((transmission) => ({
      ...transmission,
      receivedAt: timestampOf(transmission.receivedAt),
      completedAt: timestampOrNull(transmission.completedAt),
    })),
    disclaimer: DISCLAIMER,
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

/** Member by member: what is stored of a vehicle holds more than a record shows. */
function presentVehicle(row: CertifiedVehicleRow): RecordVehicle {
  const { registered, transmitted } = row;
  return {
    vehicle: {
      id: row.vehicleId,
      plateNumber: registered.plateNumber,
      mvFileNumber: registered.mvFileNumber,
      engineNumber: registered.engineNumber,
      chassisNumber: registered.chassisNumber,
      make: registered.make ?? null,
      model: registered.model ?? null,
      yearModel: registered.yearModel ?? null,
      vehicleType: registered.vehicleType,
      denomination: registered.denomination,
      passengerCapacity: registered.passengerCapacity,
      region: registered.region,
      caseNumber: registered.caseNumber ?? null,
      cpcNumber: registered.cpcNumber ?? null,
    },
    transmitted: {
      plateNumber: transmitted.plateNumber,
      mvFileNumber: transmitted.mvFileNumber,
      engineNumber: transmitted.engineNumber,
      chassisNumber: transmitted.chassisNumber,
    },
    refMatchResult: row.referenceMatch,
    addedInVersion: row.addedInVersion,
    removedInVersion: row.removedInVersion,
  };
}

/** A version that a later one replaced is SUPERSEDED; the current one has the status of the record (D12). */
function presentVersion(row: VersionRow, current: CoverageStatus): RecordVersion {
  return {
    ...row,
    coverageStatus: row.supersededAt === null ? current : 'SUPERSEDED',
    createdAt: timestampOf(row.createdAt),
    supersededAt: timestampOrNull(row.supersededAt),
    snapshot: maskSnapshot(row.snapshot),
  };
}

function presentAmendment(row: AmendmentRow): RecordAmendment {
  return { ...row, diff: maskDiff(row.diff), createdAt: timestampOf(row.createdAt) };
}
