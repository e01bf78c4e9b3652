import type {
  CoverageStatus,
  FlagType,
  IdentifierKind,
  Lifecycle,
  TransmissionKind,
  TransmissionStatus,
} from '../../../shared/contract/enums.ts';

// The state of the rules is plain data, so that it can be copied and compared as JSON.

export type Ids = Readonly<Record<IdentifierKind, string | null>>;

/** A vehicle as submitted: identifiers normalized, and as sent (D7). */
export interface ModelVehicle {
  readonly ids: Ids;
  readonly sent: Ids;
  readonly make: string | null;
  readonly vehicleType: string | null;
  readonly denomination: string | null;
  readonly passengerCapacity: number | null;
  readonly yearModel: number | null;
  readonly region: string | null;
}

/** A certificate in the form in which it would be registered. */
export interface Submission {
  readonly insurer: string | null;
  readonly pool: string | null;
  readonly policyNumber: string | null;
  readonly policy: PolicyDetails;
  readonly cocNumber: string | null;
  readonly effectiveDate: string | null;
  readonly expirationDate: string | null;
  readonly verification: string | null;
  readonly operator: Readonly<Record<string, string | null>>;
  readonly vehicles: readonly ModelVehicle[];
}

export interface PolicyDetails {
  readonly issuanceDate: string | null;
  readonly coverageType: string | null;
  readonly premiumAmount: number | null;
  readonly officialReceiptNumber: string | null;
  readonly remarks: string | null;
}

/** A canonical vehicle (D10). Its index in the list identifies it. */
export interface Canonical {
  current: Ids;
  /** `kind:value` of every identifier it was ever registered with. */
  owned: string[];
}

/** A vehicle on a certificate. */
export interface Entry {
  vehicle: ModelVehicle;
  canonical: number;
  /** The identifiers that the certificate holds on its days (D9). */
  held: string[];
  addedInVersion: number;
  removedInVersion: number | null;
  /** When it was removed, and the days that the certificate covered until then. */
  left: { readonly on: string; readonly from: string; readonly to: string } | null;
}

export interface ModelFlag {
  type: FlagType;
  canonical: number;
  plateNumber: string | null;
  /** Key of a record. */
  related: string | null;
  status: 'OPEN' | 'RESOLVED_BY_AMENDMENT';
}

export interface ModelRecord {
  /** The key of the transmission that registered it. */
  readonly key: string;
  readonly insurer: string;
  readonly transmitter: string;
  readonly policyKey: string;
  readonly policyNumber: string;
  readonly cocNumber: string;
  effectiveDate: string;
  expirationDate: string;
  verification: string | null;
  operator: Readonly<Record<string, string | null>>;
  lifecycle: Lifecycle;
  version: number;
  entries: Entry[];
  flags: ModelFlag[];
  /** Paths of the diff of each amendment; the first makes version 2. */
  amendments: string[][];
  cancelledAsOf: string | null;
  isIssuedInError: boolean;
}

/** The members of an acknowledgment that the rules predict. References are keys of records. */
export interface Ack {
  readonly kind: TransmissionKind;
  readonly status: TransmissionStatus;
  readonly replayed: boolean;
  readonly externalTransactionId: string;
  readonly record: string | null;
  readonly version: number | null;
  readonly coverageStatus: CoverageStatus | null;
  readonly policyNumber: string | null;
  readonly cocNumber: string | null;
  readonly plateNumbers: readonly string[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly flags: readonly string[];
  readonly referenceMatches: readonly string[];
}

export interface ModelTransmission {
  /** `organization/externalTransactionId`. */
  readonly key: string;
  readonly organization: string;
  /** As sent, or the record's. */
  readonly insurer: string | null;
  /** Operation, target and body: the same text for an identical request (D5). */
  readonly request: string;
  readonly ack: Ack;
  readonly errorCode: string | null;
  /** The record that it registered, changed or was meant to change. */
  readonly about: string | null;
}

export interface ModelState {
  readonly vehicles: Canonical[];
  /** The owners of each identifier, in the order in which they got it. */
  readonly owners: Record<string, number[]>;
  /** By `insurer|number`. */
  readonly policies: Record<string, PolicyDetails & { readonly pool: string | null }>;
  readonly records: ModelRecord[];
  readonly transmissions: ModelTransmission[];
}

/** The current state, and the states at the times when parts were read. Usually all are the same. */
export interface ReadStates {
  readonly state: ModelState;
  /** The state when numbers, policies and canonical vehicles were read. */
  readonly atFacts: ModelState;
  /** Order of registration, by the key of a record. */
  readonly orderOf: (record: string) => number;
  /** The state when the covers of the vehicles were read. */
  readonly atCovers: ModelState;
}

export function emptyState(): ModelState {
  return { vehicles: [], owners: {}, policies: {}, records: [], transmissions: [] };
}

/** Copies through JSON: in a Jest test, objects from structuredClone belong to another realm and are not deeply equal. */
export function copyOf(state: ModelState): ModelState {
  return JSON.parse(JSON.stringify(state)) as ModelState;
}

/** An answer reduced to what the rules predict. */
export interface Answer {
  readonly status: number;
  readonly code: string | null;
  /** `code field` of all levels, sorted. */
  readonly details: readonly string[];
  readonly data: unknown;
}
