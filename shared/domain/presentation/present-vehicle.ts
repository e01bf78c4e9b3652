import { IDENTIFIER_KINDS, type Lifecycle } from '../../contract/enums.ts';
import type { OrganizationSummary } from '../../contract/machine/record.ts';
import type {
  Vehicle,
  VehicleCover,
  VehicleIdentifier,
  VehicleItem,
} from '../../contract/staff/views/vehicles.ts';
import { coverageStatusOn } from '../coverage-status.ts';
import type { KindAndValue } from '../identifiers.ts';
import type { Day } from './present-summary.ts';

/** A cover of a vehicle. Calendar dates are YYYY-MM-DD. */
export interface CoverRow {
  readonly vehicleId: string;
  readonly certificateId: string;
  readonly registryReference: string;
  readonly policyNumber: string;
  readonly cocNumber: string;
  readonly issuingInsurer: OrganizationSummary;
  readonly operatorName: string;
  readonly lifecycle: Lifecycle;
  readonly effectiveDate: string;
  readonly expirationDate: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly registered: VehicleCover['registered'];
  readonly addedInVersion: number;
  readonly removedInVersion: number | null;
}

export interface VehicleRow extends VehicleItem {
  /** Those that the vehicle has or had. */
  readonly owned: readonly KindAndValue[];
  /** The latest registration first. */
  readonly covers: readonly CoverRow[];
}

/** A vehicle with its identifiers and covers, as staff see it. */
export function presentOwnedVehicle({ owned, covers, ...item }: VehicleRow, day: Day): Vehicle {
  const identifiers = owned.map((one) => presentIdentifier(one, item, covers));
  return {
    ...item,
    identifiers: identifiers.sort(byCurrencyAndKind),
    covers: covers.map((cover) => presentCover(cover, day)),
  };
}

function presentIdentifier(
  { kind, value }: KindAndValue,
  item: VehicleItem,
  covers: readonly CoverRow[],
): VehicleIdentifier {
  const having = covers.filter(({ registered }) => registered[kind] === value);
  const [firstDay = null] = having.map((cover) => cover.firstDay).sort();
  const lastDay =
    having
      .map((cover) => cover.lastDay)
      .sort()
      .at(-1) ?? null;
  return { kind, value, isCurrent: item[kind] === value, firstDay, lastDay };
}

/** Current ones first, then by kind, the latest first. */
function byCurrencyAndKind(one: VehicleIdentifier, other: VehicleIdentifier): number {
  if (one.isCurrent !== other.isCurrent) return one.isCurrent ? -1 : 1;
  if (one.kind !== other.kind)
    return IDENTIFIER_KINDS.indexOf(one.kind) - IDENTIFIER_KINDS.indexOf(other.kind);
  const [day, otherDay] = [one.lastDay ?? '', other.lastDay ?? ''];
  if (day !== otherDay) return day > otherDay ? -1 : 1;
  return one.value < other.value ? -1 : 1;
}

/** Without the operator, whom only the record and the evidence of a flag show. */
export function presentCover(row: CoverRow, { today, expiringWithinDays }: Day): VehicleCover {
  const { plateNumber, mvFileNumber, engineNumber, chassisNumber } = row.registered;
  const isRemoved = row.removedInVersion !== null;
  return {
    certificateId: row.certificateId,
    registryReference: row.registryReference,
    policyNumber: row.policyNumber,
    cocNumber: row.cocNumber,
    issuingInsurer: row.issuingInsurer,
    lifecycle: row.lifecycle,
    coverageStatus: isRemoved ? 'SUPERSEDED' : coverageStatusOn(today, row, expiringWithinDays),
    firstDay: row.firstDay,
    lastDay: row.lastDay,
    registered: { plateNumber, mvFileNumber, engineNumber, chassisNumber },
    addedInVersion: row.addedInVersion,
    removedInVersion: row.removedInVersion,
  };
}
