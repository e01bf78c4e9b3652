import type { CoverageStatus, IdentifierKind } from '../../shared/contract/enums.ts';
import type { FaultName } from './registry/faults.ts';
import type { ClientName } from './rules/organizations.ts';

// Specifications of requests before their records and dates are known. A pick is an index into the list of candidates, modulo its length.

/** The number of values of each identifier kind. */
export const NAMES = 6;

/** A vehicle whose identifiers are each one of a few values, mostly of the same vehicle. */
export interface VehicleSpec {
  readonly base: number;
  readonly renamed: Partial<Record<IdentifierKind, number>>;
  /** The spelling: with hyphens or in lower case. */
  readonly spelling: number;
  readonly region: 'CAR' | 'NCR';
}

/** Days counted from the start of the sequence, or from the end of a record. */
export type PeriodSpec =
  | { readonly from: number; readonly days: number }
  | { readonly after: number; readonly gap: number; readonly days: number };

/** Days counted from today, or a date. */
export type DaySpec = number | string;

/** A client, or the client of the record's insurer or transmitter. */
export type Actor = ClientName | 'insurer' | 'transmitter';

export interface TransmitSpec {
  readonly do: 'transmit';
  readonly client: ClientName;
  readonly insurer: string;
  readonly pool: string | null;
  readonly policy: number;
  /** A new number when undefined. */
  readonly coc: number | undefined;
  /** Repeats the certificate number of a record, with its vehicles or with others. */
  readonly twin: { readonly record: number; readonly isSame: boolean } | undefined;
  readonly issued: DaySpec;
  readonly period: PeriodSpec;
  readonly vehicles: readonly VehicleSpec[];
  readonly remarks: string | null;
  readonly fault: FaultName | undefined;
}

export interface AmendSpec {
  readonly do: 'amend';
  readonly client: Actor;
  readonly record: number;
  /** Days by which the dates move, or a period right after another record. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly behind: number | undefined;
  readonly policy: {
    readonly remarks?: string | null;
    readonly premiumAmount?: number | null;
    readonly officialReceiptNumber?: string | null;
    readonly issued?: DaySpec;
    readonly coverageType?: string;
  };
  readonly pool: string | null | undefined;
  readonly operator: Readonly<Record<string, string | null>>;
  readonly verification: string | null | undefined;
  readonly add: VehicleSpec | undefined;
  readonly remove: number | undefined;
  readonly update:
    | {
        readonly vehicle: number;
        readonly to: Partial<Record<IdentifierKind, number>>;
        readonly region: 'CAR' | 'NCR' | undefined;
      }
    | undefined;
  readonly identity: 'same' | 'insurer' | 'policy' | 'coc' | undefined;
  readonly expected: 'right' | 'wrong' | undefined;
  readonly malformed: boolean;
}

export interface CancelSpec {
  readonly do: 'cancel';
  readonly client: Actor;
  readonly record: number;
  readonly asOf: DaySpec;
  readonly reasonCode: 'OPERATOR_REQUEST' | 'ISSUED_IN_ERROR';
  readonly fault: 'policyNumber' | 'cocNumber' | 'reasonCode' | undefined;
}

export type RequestSpec =
  | TransmitSpec
  /** Repeats the last submission. */
  | { readonly do: 'again' }
  | AmendSpec
  | CancelSpec
  | { readonly do: 'repeat'; readonly request: number; readonly changed: boolean }
  | { readonly do: 'read'; readonly client: Actor; readonly record: number }
  | {
      readonly do: 'lookup';
      readonly client: ClientName;
      readonly request: number;
      readonly by: 'reference' | 'externalTransactionId';
    }
  | {
      readonly do: 'search';
      readonly client: ClientName;
      readonly identifiers: Partial<Record<IdentifierKind, number>>;
      readonly policy: number | undefined;
      readonly status: CoverageStatus | undefined;
    }
  | {
      readonly do: 'coverage';
      readonly client: ClientName;
      readonly kind: IdentifierKind;
      readonly value: number;
      readonly asOf: DaySpec | undefined;
    };

/** The steps by which time passes. */
export const PASSES = ['hour', 'midnight', 'day', 'tenDays', 'month', 'monthAndDay'] as const;
export type Pass = (typeof PASSES)[number];

/** Start times of sequences: ordinary days, the last minute of a year, the day before a leap day. */
export const STARTS = [
  '2026-10-15T02:00:00Z',
  '2026-12-31T15:59:30Z',
  '2028-02-28T15:30:00Z',
  '2027-02-28T16:00:00Z',
] as const;
