import type { DataOf } from '../../api/contract.ts';
import { inWords } from '../../words.ts';

type Evidence = DataOf<'readFlagEvidence'>;

/** `before`: the other vehicle has another identifier now, and had that of the flagged record before. */
export type Verdict = 'same' | 'differs' | 'before';

export interface Cell {
  readonly text: string | null;
  /** Compared with the flagged record; undefined where there is nothing to compare. */
  readonly verdict: Verdict | undefined;
}

export interface ComparisonRow {
  readonly label: string;
  readonly isIdentifier: boolean;
  readonly cells: readonly Cell[];
}

export interface Comparison {
  readonly columns: readonly string[];
  /** The registered vehicle of each column; undefined for a column without one. */
  readonly vehicleIds: readonly (string | undefined)[];
  readonly rows: readonly ComparisonRow[];
}

const IDENTIFIERS = {
  chassisNumber: 'Chassis number',
  engineNumber: 'Engine number',
  mvFileNumber: 'MV file number',
  plateNumber: 'Plate number',
} as const;
type Identifier = keyof typeof IDENTIFIERS;

const FACTS = {
  make: 'Make',
  model: 'Model',
  year: 'Year',
  type: 'Type',
  denomination: 'Denomination',
  region: 'Region',
  insurer: 'Insurer',
  policy: 'Policy',
  certificate: 'Certificate',
  from: 'Covered from',
  to: 'Covered to',
  status: 'Cover',
  operator: 'Operator',
  record: 'Record',
} as const;
type Fact = keyof typeof FACTS;

type Values = Partial<Record<Identifier | Fact, string | number | null>>;

interface Column {
  readonly title: string;
  readonly values: Values;
  readonly vehicleId?: string | undefined;
  /** The identifiers of the flagged record that the vehicle has or had. */
  readonly shared?: readonly Identifier[];
}

/** The index of the column with which the others are compared. */
const FLAGGED = 1;

/** What a reviewer compares: identifiers and facts, of the flagged record and of everything that it may be confused with. */
export function makeComparison(evidence: Evidence): Comparison {
  const { vehicle, matchedVehicles, referenceVehicles } = evidence;
  const columns: Column[] = [
    { title: 'As transmitted', values: vehicle?.transmitted ?? {} },
    {
      title: 'Flagged record',
      values: valuesOfFlagged(evidence),
      vehicleId: vehicle?.vehicle.id,
    },
    ...matchedVehicles
      .filter(({ isFlagged }) => !isFlagged)
      .map((other) => ({
        title: 'Other vehicle',
        values: valuesOfOther(other),
        shared: other.shared,
        vehicleId: other.id,
      })),
    ...referenceVehicles.map((reference) => ({
      title: 'Reference data',
      values: reference,
    })),
  ];
  const rowsOf = (labels: Record<string, string>, isIdentifier: boolean): ComparisonRow[] =>
    Object.entries(labels)
      .map(([name, label]) => rowOf(columns, name as Identifier | Fact, label, isIdentifier))
      .filter(({ cells }) => cells.some(({ text }) => text !== null));
  return {
    columns: numbered(columns.map(({ title }) => title)),
    vehicleIds: columns.map(({ vehicleId }) => vehicleId),
    rows: [...rowsOf(IDENTIFIERS, true), ...rowsOf(FACTS, false)],
  };
}

function rowOf(
  columns: readonly Column[],
  name: Identifier | Fact,
  label: string,
  isIdentifier: boolean,
): ComparisonRow {
  const texts = columns.map(({ values }) => textOf(values[name]));
  const flagged = texts[FLAGGED] ?? null;
  const cells = texts.map((text, index) => ({
    text,
    verdict: index === FLAGGED ? undefined : compare(text, flagged, isShared(columns[index], name)),
  }));
  return { label, isIdentifier, cells };
}

function isShared(column: Column | undefined, name: Identifier | Fact): boolean {
  return column?.shared?.some((kind) => kind === name) ?? false;
}

function compare(
  text: string | null,
  flagged: string | null,
  wasShared: boolean,
): Verdict | undefined {
  if (text === null || flagged === null) return undefined;
  if (normalize(text) === normalize(flagged)) return 'same';
  return wasShared ? 'before' : 'differs';
}

/** As identifiers are compared (D10): spaces, hyphens and case do not count. */
function normalize(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

function textOf(value: string | number | null | undefined): string | null {
  return value === null || value === undefined || value === '' ? null : String(value);
}

function valuesOfFlagged({ vehicle, record }: Evidence): Values {
  return {
    ...(vehicle === null ? {} : valuesOfVehicle(vehicle.vehicle)),
    region: vehicle?.vehicle.region ?? record.region,
    insurer: record.issuingInsurer.name,
    policy: record.policyNumber,
    certificate: record.cocNumber,
    from: record.effectiveDate,
    to: record.expirationDate,
    status: inWords(record.coverageStatus),
    operator: record.operatorName,
    record: record.registryReference,
  };
}

/** Another vehicle with its latest cover. */
function valuesOfOther(vehicle: Evidence['matchedVehicles'][number]): Values {
  const [cover] = vehicle.covers;
  if (cover === undefined) return valuesOfVehicle(vehicle);
  return {
    ...valuesOfVehicle(vehicle),
    insurer: cover.issuingInsurer.name,
    policy: cover.policyNumber,
    certificate: cover.cocNumber,
    from: cover.firstDay,
    to: cover.lastDay,
    status: inWords(cover.coverageStatus),
    operator: cover.operatorName,
    record: cover.registryReference,
  };
}

type Vehicle = Pick<
  Evidence['matchedVehicles'][number],
  Identifier | 'make' | 'model' | 'yearModel' | 'vehicleType' | 'denomination'
>;

function valuesOfVehicle(vehicle: Vehicle): Values {
  const { chassisNumber, engineNumber, mvFileNumber, plateNumber } = vehicle;
  return {
    chassisNumber,
    engineNumber,
    mvFileNumber,
    plateNumber,
    make: vehicle.make,
    model: vehicle.model,
    year: vehicle.yearModel,
    type: inWords(vehicle.vehicleType),
    denomination: vehicle.denomination,
  };
}

/** Other vehicle 1, Other vehicle 2 where a title occurs more than once. */
function numbered(titles: readonly string[]): string[] {
  return titles.map((title, index) => {
    const isRepeated = titles.filter((one) => one === title).length > 1;
    const before = titles.slice(0, index).filter((one) => one === title).length;
    return isRepeated ? `${title} ${before + 1}` : title;
  });
}
