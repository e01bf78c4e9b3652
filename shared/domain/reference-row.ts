import { IDENTIFIER_KINDS, type IdentifierKind, Region } from '../contract/enums.ts';
import {
  type ImportErrorCode,
  REFERENCE_COLUMNS,
  type ReferenceColumn,
} from '../contract/staff/reference.ts';
import { flawOfCharacters } from '../contract/text.ts';
import {
  type Identifiers,
  identifierRule,
  isIdentifier,
  normalizeIdentifier,
  presentIdentifiers,
} from './identifiers.ts';
import { normalizeText } from './text.ts';

/** What is wrong with a line of a reference file; `field` is null when it is the line as a whole. */
export interface RowFlaw {
  readonly field: ReferenceColumn | null;
  readonly code: ImportErrorCode;
  readonly message: string;
}

export interface ReferenceRow {
  /** Null when the line names none of the vocabulary. */
  readonly region: Region | null;
  /** Normalized (D7); null where absent or not an identifier of its kind. */
  readonly identifiers: Identifiers;
  readonly flaws: readonly RowFlaw[];
}

/** The columns in the order of the file. Undefined when the heading is not exactly the columns of a reference file. */
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

/** One vehicle of a reference file. A line with another number of values than the heading names no region: its values may be shifted. */
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
          message: `The heading has ${columns.length} columns, this line ${cells.length}.`,
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
  message: 'A vehicle has at least one identifier.',
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
  // Of a value that only has characters which are dropped nothing is left: it was meant to be one.
  const isMeant = normalizeText(cell) !== null;
  const flaw = flawOfCharacters(cell);
  const isWell = !isMeant || (value !== null && isIdentifier(kind, value));
  if (isWell && flaw === undefined) return { kind, value, flaws: [] };
  const message = flaw ?? `Expected ${identifierRule(kind)}.`;
  return { kind, value: null, flaws: [{ field: kind, code: 'INVALID_FORMAT', message }] };
}
