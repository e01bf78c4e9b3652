import { IDENTIFIER_KINDS } from '../../contract/enums.ts';
import type { Finding } from '../../contract/findings.ts';
import type { RecordVehicle } from '../../contract/machine/record.ts';
import type { ReferenceVehicle } from '../../contract/staff/reference.ts';
import type {
  ComparedReferenceVehicle,
  MatchedVehicle,
} from '../../contract/staff/views/flag-evidence.ts';
import type { Day } from './present-summary.ts';
import { presentCover, presentOwnedVehicle, type VehicleRow } from './present-vehicle.ts';

type FlaggedVehicle = RecordVehicle['vehicle'];

/** A registered vehicle with the identifiers that it shares with the flagged one. */
export function compareVehicle(
  row: VehicleRow,
  flagged: FlaggedVehicle | null,
  day: Day,
): MatchedVehicle {
  const vehicle = presentOwnedVehicle(row, day);
  const isShared = (kind: (typeof IDENTIFIER_KINDS)[number]) =>
    vehicle.identifiers.some((one) => one.kind === kind && one.value === flagged?.[kind]);
  return {
    ...vehicle,
    covers: row.covers.map((cover) => ({
      ...presentCover(cover, day),
      operatorName: cover.operatorName,
    })),
    isFlagged: vehicle.id === flagged?.id,
    shared: IDENTIFIER_KINDS.filter(isShared),
  };
}

/** A reference vehicle with the identifiers that agree with the flagged vehicle or differ from it (D21). */
export function compareReference(
  reference: ReferenceVehicle,
  flagged: FlaggedVehicle,
): ComparedReferenceVehicle {
  const onFile = IDENTIFIER_KINDS.filter((kind) => reference[kind] !== null);
  return {
    ...reference,
    agreeing: onFile.filter((kind) => reference[kind] === flagged[kind]),
    differing: onFile.filter((kind) => reference[kind] !== flagged[kind]),
  };
}

export interface JudgedRow {
  /** The plates of the judged vehicles, in their order. */
  readonly plateNumbers: readonly string[];
  readonly warnings: readonly Finding[];
}

/**
 * The findings of level 4 about one vehicle. A finding names it by its place, or by what an amendment sent; of the latter all are
 * returned, because the place among the sent ones is not known here.
 */
export function findingsAbout(
  { plateNumbers, warnings }: JudgedRow,
  plateNumber: string | null,
): Finding[] {
  const vehicle = `vehicles[${plateNumbers.indexOf(plateNumber ?? '')}]`;
  const isAbout = (field: string) =>
    field === vehicle || field.startsWith(`${vehicle}.`) || field.startsWith('changes.vehicles.');
  return warnings.filter(({ level, field }) => level === 4 && field !== null && isAbout(field));
}
