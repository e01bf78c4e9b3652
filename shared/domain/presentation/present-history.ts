import type { CoverageStatus, ReferenceMatchResult } from '../../contract/enums.ts';
import type {
  DiffEntry,
  Omitted,
  RecordAmendment,
  RecordFlag,
  RecordTransmission,
  RecordVehicle,
  RecordVersion,
} from '../../contract/machine/record.ts';
import type { Submission } from '../registration/submission.ts';
import { type AnswerRoom, takeWhileFits } from './answer-room.ts';
import { maskDiff, maskSnapshot } from './mask-personal.ts';
import { maskReviewer } from './masking.ts';
import { timestampOf, timestampOrNull } from './present-summary.ts';

/** Rows omit absent members of a vehicle. Rows of earlier releases have null for them. */
type MayBeAbsent = 'make' | 'model' | 'yearModel' | 'caseNumber' | 'cpcNumber';

export interface CertifiedVehicleRow {
  /** The order in which the vehicles were added to the certificate, from 0. */
  readonly ordinal: number;
  readonly vehicleId: string;
  readonly registered: Omit<RecordVehicle['vehicle'], 'id' | MayBeAbsent> &
    Partial<Pick<RecordVehicle['vehicle'], MayBeAbsent>>;
  readonly transmitted: RecordVehicle['transmitted'];
  readonly referenceMatch: ReferenceMatchResult | null;
  readonly addedInVersion: number;
  readonly removedInVersion: number | null;
}

export interface VersionRow extends Omit<RecordVersion, 'coverageStatus' | 'snapshot'> {
  /** Opens the sealed value; null when the list does not show it. */
  readonly openSnapshot: (() => Submission) | null;
}

export interface AmendmentRow extends Omit<RecordAmendment, 'diff'> {
  /** Opens the sealed value; null when the list does not show it. */
  readonly openDiff: (() => readonly DiffEntry[]) | null;
}

/** The reader of a record, and the record's path for that reader. Staff see the reviewer of a flag. */
export interface RecordReader {
  readonly kind: 'ORGANIZATION' | 'STAFF';
  /** The path of the record, without a slash at the end. */
  readonly path: string;
}

/** Copies only the members that a record shows. The stored vehicle has more. */
export function presentVehicle(row: CertifiedVehicleRow): RecordVehicle {
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

export function presentFlag(flag: RecordFlag, reader: RecordReader): RecordFlag {
  return {
    ...flag,
    reviewedBy: reader.kind === 'STAFF' ? flag.reviewedBy : maskReviewer(flag.reviewedBy),
    reviewedAt: timestampOrNull(flag.reviewedAt),
    createdAt: timestampOf(flag.createdAt),
  };
}

export function presentTransmission(transmission: RecordTransmission): RecordTransmission {
  return {
    ...transmission,
    receivedAt: timestampOf(transmission.receivedAt),
    completedAt: timestampOrNull(transmission.completedAt),
  };
}

/** Lists versions, the newest first, without snapshots. `withSnapshots` adds these. */
export function listVersions(
  rows: readonly VersionRow[],
  current: CoverageStatus,
  reader: RecordReader,
  room: AnswerRoom,
): RecordVersion[] {
  return takeWhileFits(
    room,
    rows.map((row) => bareVersion(row, current, reader)),
  );
}

/** Adds the snapshots of the newest versions, as far as they fit (D33). `listed` are the first of `rows`. */
export function withSnapshots(
  listed: readonly RecordVersion[],
  rows: readonly VersionRow[],
  room: AnswerRoom,
): RecordVersion[] {
  const snapshots = takeWhileFits(room, openLazily(rows, listed.length, maskedSnapshotOf));
  return listed.map((one, index) => ({ ...one, snapshot: snapshots[index] ?? one.snapshot }));
}

/** Lists amendments, the newest first, without diffs. `withDiffs` adds these. */
export function listAmendments(
  rows: readonly AmendmentRow[],
  reader: RecordReader,
  room: AnswerRoom,
): RecordAmendment[] {
  return takeWhileFits(
    room,
    rows.map((row) => bareAmendment(row, reader)),
  );
}

export function withDiffs(
  listed: readonly RecordAmendment[],
  rows: readonly AmendmentRow[],
  room: AnswerRoom,
): RecordAmendment[] {
  const diffs = takeWhileFits(room, openLazily(rows, listed.length, maskedDiffOf));
  return listed.map((one, index) => ({ ...one, diff: diffs[index] ?? one.diff }));
}

/**
 * One version with its snapshot. The vehicles of a very large snapshot of an earlier release do not fit into an answer; then a
 * path replaces them.
 */
export function presentVersion(
  row: VersionRow,
  current: CoverageStatus,
  reader: RecordReader,
  room: AnswerRoom,
): RecordVersion {
  const bare = bareVersion(row, current, reader);
  const snapshot = maskedSnapshotOf(row) ?? bare.snapshot;
  if (room.reserve({ ...bare, snapshot })) return { ...bare, snapshot };
  const vehicles = omitted(`${reader.path}/versions/${row.version}/vehicles`);
  return { ...bare, snapshot: { ...snapshot, vehicles } };
}

/** A replaced version is SUPERSEDED. The current version has the status of the record (D12). */
function bareVersion(
  { openSnapshot: _sealed, ...row }: VersionRow,
  current: CoverageStatus,
  reader: RecordReader,
): RecordVersion {
  return {
    ...row,
    coverageStatus: row.supersededAt === null ? current : 'SUPERSEDED',
    createdAt: timestampOf(row.createdAt),
    supersededAt: timestampOrNull(row.supersededAt),
    snapshot: omitted(`${reader.path}/versions/${row.version}`),
  };
}

function bareAmendment(
  { openDiff: _sealed, ...row }: AmendmentRow,
  reader: RecordReader,
): RecordAmendment {
  return {
    ...row,
    diff: omitted(`${reader.path}/amendments/${row.toVersion}/diff`),
    createdAt: timestampOf(row.createdAt),
  };
}

/**
 * Opens each row only when the caller asks for it, up to the first row that is not shown. Opening is expensive, and the caller
 * stops at the first value that does not fit.
 */
function* openLazily<Row, Opened>(
  rows: readonly Row[],
  listed: number,
  open: (row: Row) => Opened | null,
): Generator<Opened> {
  for (const row of rows.slice(0, listed)) {
    const opened = open(row);
    if (opened === null) return;
    yield opened;
  }
}

function maskedSnapshotOf({ openSnapshot }: VersionRow): Record<string, unknown> | null {
  return openSnapshot === null ? null : maskSnapshot(openSnapshot());
}

function maskedDiffOf({ openDiff }: AmendmentRow): DiffEntry[] | null {
  return openDiff === null ? null : maskDiff(openDiff());
}

function omitted(href: string): Omitted {
  return { omitted: true, href };
}
