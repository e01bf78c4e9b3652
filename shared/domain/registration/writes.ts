import type { FlagType } from '../../contract/enums.ts';
import type { DiffEntry } from '../../contract/machine/record.ts';
import type { Identifiers, KindAndValue } from '../identifiers.ts';
import type { Submission, SubmittedOperator } from './submission.ts';

// The rows a decision writes, in the registry's words. One set serves a batch: sets are concatenated.

export interface NewPolicy {
  readonly id: string;
  readonly issuingInsurerId: string;
  readonly policyNumber: string;
  readonly issuanceDate: string;
  readonly coverageType: string;
  readonly premiumAmount: number | null;
  readonly officialReceiptNumber: string | null;
  readonly remarks: string | null;
  readonly poolId: string | null;
}

export interface NewCertificate {
  readonly id: string;
  readonly registryReference: string;
  readonly sequence: number;
  readonly policyId: string;
  readonly cocNumber: string;
  readonly issuingInsurerId: string;
  readonly transmittingOrganizationId: string;
  readonly effectiveDate: string;
  readonly expirationDate: string;
  readonly insurerVerificationReference: string | null;
  readonly operatorId: string;
  readonly operator: SubmittedOperator;
  readonly operatorRegion: string;
  readonly registeredAt: Date;
}

/**
 * A canonical vehicle as it is from now on; `isNew` says whether the registry has it already. Unless it
 * `isRenamed`, one that the registry has keeps the identifiers it bears.
 */
export interface VehicleRow {
  readonly id: string;
  readonly isNew: boolean;
  readonly isRenamed: boolean;
  /**
   * Of a new one that comes to own all that it bears, since nobody knows any of it, as of most: in force on all of that from the
   * start. Null of the others, of which `RegistryWrites.identifiers` says what they come to own.
   */
  readonly cover: Cover | null;
  readonly plateNumber: string;
  readonly mvFileNumber: string;
  readonly engineNumber: string;
  readonly chassisNumber: string;
  readonly make: string | null;
  readonly model: string | null;
  readonly yearModel: number | null;
  readonly vehicleType: string;
  readonly denomination: string;
}

/** A certificate on its days, both included. */
export interface Cover {
  readonly certificateId: string;
  readonly from: string;
  readonly to: string;
}

/** An identifier that a canonical vehicle comes to own; `rank` counts the owners before it. */
export interface NewIdentifier extends KindAndValue {
  readonly vehicleId: string;
  readonly rank: number;
  /** In force on it from the start, since nobody owns it yet; null where somebody does: then it must be claimed. */
  readonly cover: Cover | null;
}

export interface CertificateVehicleRow {
  readonly certificateId: string;
  readonly ordinal: number;
  readonly vehicleId: string;
  readonly registered: Readonly<Record<string, unknown>>;
  /** As sent; null where that is how it is registered. */
  readonly transmitted: Identifiers | null;
  readonly referenceMatch: string;
  readonly addedInVersion: number;
}

/** An identifier on the days of a certificate. */
export interface IdentifierOnDays extends KindAndValue {
  readonly cover: Cover;
}

/**
 * A claim of a certificate on an identifier that is owned (D9). A required one that can't be had means that another
 * certificate is in force; the others complete older certificates of the same vehicle where they can.
 */
export interface Claim extends IdentifierOnDays {
  readonly required: boolean;
}

export interface VersionRow {
  readonly certificateId: string;
  readonly version: number;
  readonly transmissionId: string;
  readonly createdAt: Date;
  readonly snapshot: Submission;
}

export interface FlagRow {
  readonly id: string;
  readonly type: FlagType;
  readonly certificateId: string;
  readonly vehicleId: string;
  readonly relatedCertificateId: string | null;
  readonly plateNumber: string | null;
  readonly region: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly createdAt: Date;
}

/** What an amendment or cancellation changes of a record that exists. */
export interface RecordChanges {
  readonly certificateId: string;
  readonly amendment: AmendmentRow | null;
  readonly cancellation: CancellationRow | null;
  /** The certificate's own values from now on; null when only its lifecycle changes. */
  readonly certificate: AmendedCertificate | null;
  /** The policy's values from now on; null when they stay. */
  readonly policy: NewPolicy | null;
  readonly changedVehicles: readonly Omit<CertificateVehicleRow, 'addedInVersion'>[];
  readonly removedOrdinals: readonly number[];
  /** The identifiers that the certificate is in force on afterwards; its claims on all others are given up. */
  readonly held: readonly KindAndValue[];
  readonly resolvedFlagIds: readonly string[];
}

export interface AmendedCertificate {
  readonly version: number;
  readonly effectiveDate: string;
  readonly expirationDate: string;
  readonly insurerVerificationReference: string | null;
  readonly operatorId: string;
  readonly operator: SubmittedOperator;
  readonly operatorRegion: string;
}

export interface AmendmentRow {
  readonly id: string;
  readonly fromVersion: number;
  readonly toVersion: number;
  readonly reason: string;
  readonly diff: readonly DiffEntry[];
  readonly transmissionId: string;
  readonly createdAt: Date;
}

export interface CancellationRow {
  readonly cancellationEffectiveDate: string;
  readonly reasonCode: string;
  readonly reasonText: string;
  readonly supportingReference: string | null;
  readonly transmissionId: string;
  readonly createdAt: Date;
}

/** A row as it was decided about; it gets another revision each time it changes. */
export interface Revision {
  readonly id: string;
  readonly revision: string;
}

/** What must still be as it was when that is written which was decided about it. */
export interface Reliance {
  /** Older certificates that get a claim. */
  readonly certificates: Revision[];
  /** Policies that are joined. */
  readonly policies: Revision[];
  readonly vehicles: Revision[];
  /** Of `vehicles`, those that are named beside the own one (D10). They get another revision: who decided about them decides again. */
  readonly namedVehicleIds: string[];
  /** Their names, which no other certificate claims; this one doesn't either. */
  readonly unclaimed: IdentifierOnDays[];
}

export interface RegistryWrites {
  readonly reliesOn: Reliance;
  readonly policies: NewPolicy[];
  readonly certificates: NewCertificate[];
  readonly vehicles: VehicleRow[];
  readonly identifiers: NewIdentifier[];
  readonly certificateVehicles: CertificateVehicleRow[];
  readonly claims: Claim[];
  readonly versions: VersionRow[];
  readonly flags: FlagRow[];
}

export function concatReliance(parts: readonly Partial<Reliance>[]): Reliance {
  return {
    certificates: parts.flatMap(({ certificates = [] }) => certificates),
    policies: parts.flatMap(({ policies = [] }) => policies),
    vehicles: parts.flatMap(({ vehicles = [] }) => vehicles),
    namedVehicleIds: parts.flatMap(({ namedVehicleIds = [] }) => namedVehicleIds),
    unclaimed: parts.flatMap(({ unclaimed = [] }) => unclaimed),
  };
}

export function noWrites(): RegistryWrites {
  return {
    reliesOn: concatReliance([]),
    policies: [],
    certificates: [],
    vehicles: [],
    identifiers: [],
    certificateVehicles: [],
    claims: [],
    versions: [],
    flags: [],
  };
}

export function concatWrites(sets: readonly RegistryWrites[]): RegistryWrites {
  const [first, ...others] = sets;
  if (first !== undefined && others.length === 0) return first;
  return {
    reliesOn: concatReliance(sets.map(({ reliesOn }) => reliesOn)),
    policies: concat(sets.map(({ policies }) => policies)),
    certificates: concat(sets.map(({ certificates }) => certificates)),
    vehicles: concat(sets.map(({ vehicles }) => vehicles)),
    identifiers: concat(sets.map(({ identifiers }) => identifiers)),
    certificateVehicles: concat(sets.map(({ certificateVehicles }) => certificateVehicles)),
    claims: concat(sets.map(({ claims }) => claims)),
    versions: concat(sets.map(({ versions }) => versions)),
    flags: concat(sets.map(({ flags }) => flags)),
  };
}

/** `flatMap` takes several times as long for thousands of rows. */
function concat<Row>(parts: readonly (readonly Row[])[]): Row[] {
  return ([] as Row[]).concat(...parts);
}
