import { IDENTIFIER_KINDS, type IdentifierKind, Region } from '../contract/enums.ts';
import {
  type ImportErrorCode,
  REFERENCE_COLUMNS,
  type ReferenceColumn,
} from '../contract/staff/reference.ts';
import { findTextFlaw } from '../contract/text.ts';
import {
  type Identifiers,
  identifierRule,
  isIdentifier,
  normalizeIdentifier,
  presentIdentifiers,
} from './identifiers.ts';
import { normalizeText } from './text.ts';

/** An error in a line of a reference file. `field` is null when the error concerns the whole line. */
export interface RowFlaw {
  readonly field: ReferenceColumn | null;
  readonly code: ImportErrorCode;
  readonly message: string;
}

export interface ReferenceRow {
  /** Null when the line does not name a known region. */
  readonly region: Region | null;
  /** Normalized (D7); null where absent or not valid for its kind. */
  readonly identifiers: Identifiers;
  readonly flaws: readonly RowFlaw[];
}

/** The columns in the order of the file; undefined when the headings are not exactly the columns of a reference file. */
export function readHeading(cells: readonly string[]): ReferenceColumn[] | undefined {
  const named = cells.flatMap((cell) => {
    const name = normalizeText(cell);
    return REFERENCE_COLUMNS.find((column) => column === name) ?? [];
  });
  const isWhole =
    named.length === cells.length &&
    named.length === REFERENCE_COLUMNS.length &&
    new Set(named).size === named.length;
  return isWhole ? named : undefined;
}

/**
 * Reads one vehicle of a reference file. A line whose number of values differs from the headings gets no region, because its
 * values may be in the wrong columns.
 */
export function readReferenceRow(
  columns: readonly ReferenceColumn[],
  cells: readonly string[],
): ReferenceRow {
  if (cells.length !== columns.length) {
    return {
      region: null,
      identifiers: NO_IDENTIFIERS,
      flaws: [
        {
          field: null,
          code: 'INVALID_FORMAT',
          message: `The heading has ${columns.length} columns, but this line has ${cells.length}.`,
        },
      ],
    };
  }
  const cellOf = (column: ReferenceColumn) => cells[columns.indexOf(column)] ?? '';
  const { region, flaws: regionFlaws } = readRegion(cellOf('region'));
  const read = IDENTIFIER_KINDS.map((kind) => readIdentifier(kind, cellOf(kind)));
  const identifiers = Object.fromEntries(
    read.map(({ kind, value }) => [kind, value]),
  ) as unknown as Identifiers;
  const flaws = [...regionFlaws, ...read.flatMap((one) => one.flaws)];
  const isEmpty = presentIdentifiers(identifiers).length === 0 && flaws.length === 0;
  return { region, identifiers, flaws: isEmpty ? [WITHOUT_IDENTIFIER] : flaws };
}

const NO_IDENTIFIERS: Identifiers = {
  plateNumber: null,
  mvFileNumber: null,
  engineNumber: null,
  chassisNumber: null,
};

const WITHOUT_IDENTIFIER: RowFlaw = {
  field: null,
  code: 'REQUIRED',
  message: 'A vehicle needs at least one identifier.',
};

function readRegion(cell: string): { region: Region | null; flaws: readonly RowFlaw[] } {
  const text = normalizeText(cell);
  if (text === null) {
    return {
      region: null,
      flaws: [{ field: 'region', code: 'REQUIRED', message: 'A region is required.' }],
    };
  }
  const { success, data } = Region.safeParse(text);
  return success
    ? { region: data, flaws: [] }
    : {
        region: null,
        flaws: [
          {
            field: 'region',
            code: 'INVALID_FORMAT',
            message: `Expected one of ${Region.options.join(', ')}.`,
          },
        ],
      };
}

function readIdentifier(
  kind: IdentifierKind,
  cell: string,
): { kind: IdentifierKind; value: string | null; flaws: readonly RowFlaw[] } {
  const value = normalizeIdentifier(cell);
  // A cell such as "-" normalizes to null, but it is not empty. It is an error, not an absent identifier.
  const isEmpty = normalizeText(cell) === null;
  const flaw = findTextFlaw(cell);
  const isValid = isEmpty || (value !== null && isIdentifier(kind, value));
  if (isValid && flaw === undefined) return { kind, value, flaws: [] };
  const message = flaw ?? `Expected ${identifierRule(kind)}.`;
  return { kind, value: null, flaws: [{ field: kind, code: 'INVALID_FORMAT', message }] };
}
