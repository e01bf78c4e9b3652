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
 * A canonical vehicle after the decision. `isNew`: the registry does not have it yet. A vehicle that the registry has
 * changes its identifiers only if it `isRenamed`.
 */
export interface VehicleRow {
  readonly id: string;
  readonly isNew: boolean;
  readonly isRenamed: boolean;
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

/** A certificate and the days on which it covers, both inclusive (YYYY-MM-DD). */
export interface Cover {
  readonly certificateId: string;
  readonly from: string;
  readonly to: string;
}

/** An identifier that a canonical vehicle gets. `rank` is the number of earlier owners. */
export interface NewIdentifier extends KindAndValue {
  readonly vehicleId: string;
  readonly rank: number;
  /** The first cover of an identifier that nobody owned before. Null for other identifiers: these must be reserved. */
  readonly cover: Cover | null;
}

export interface CertificateVehicleRow {
  readonly certificateId: string;
  readonly ordinal: number;
  readonly vehicleId: string;
  readonly registered: Readonly<Record<string, unknown>>;
  /** The identifiers as sent; null if they are the registered ones. */
  readonly transmitted: Identifiers | null;
  readonly referenceMatch: string;
  readonly addedInVersion: number;
}

/** An identifier and the cover it is needed for. */
export interface IdentifierOnDays extends KindAndValue {
  readonly cover: Cover;
}

/**
 * A certificate's reservation of an identifier that a vehicle already owns (D9). A required reservation that is refused means
 * that another certificate is in force. Optional ones give a vehicle's older certificates its new identifier, if it is free.
 */
export interface Reservation extends IdentifierOnDays {
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

/** The changes of an amendment or cancellation to an existing record. */
export interface RecordChanges {
  readonly certificateId: string;
  readonly amendment: AmendmentRow | null;
  readonly cancellation: CancellationRow | null;
  /** The new values of the certificate; null when only its lifecycle changes. */
  readonly certificate: AmendedCertificate | null;
  /** The new values of the policy; null when they stay. */
  readonly policy: NewPolicy | null;
  readonly changedVehicles: readonly Omit<CertificateVehicleRow, 'addedInVersion'>[];
  readonly removedOrdinals: readonly number[];
  /** The identifiers that the certificate covers afterwards. Its reservations of all others are released. */
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

/** A row at the revision that the decision read. Each change of the row changes its revision. */
export interface Revision {
  readonly id: string;
  readonly revision: string;
}

/** The rows that a decision depends on. The commit fails with StaleRead if one of them has changed since it was read. */
export interface ReadSet {
  /** Older certificates that get a reservation. */
  readonly certificates: Revision[];
  /** Existing policies that a certificate joins. */
  readonly policies: Revision[];
  readonly vehicles: Revision[];
  /**
   * Vehicles, also in `vehicles`, that an identifier of the submission names although another vehicle matches (D10). The commit
   * changes their revision, so that concurrent decisions about them fail with StaleRead.
   */
  readonly conflictingVehicleIds: string[];
  /** The identifiers of those vehicles. They must be free, and are not reserved. */
  readonly mustStayFree: IdentifierOnDays[];
}

export interface RegistryWrites {
  readonly readSet: ReadSet;
  readonly policies: NewPolicy[];
  readonly certificates: NewCertificate[];
  readonly vehicles: VehicleRow[];
  readonly identifiers: NewIdentifier[];
  readonly certificateVehicles: CertificateVehicleRow[];
  readonly reservations: Reservation[];
  readonly versions: VersionRow[];
  readonly flags: FlagRow[];
}

export function concatReadSets(parts: readonly Partial<ReadSet>[]): ReadSet {
  return {
    certificates: parts.flatMap(({ certificates = [] }) => certificates),
    policies: parts.flatMap(({ policies = [] }) => policies),
    vehicles: parts.flatMap(({ vehicles = [] }) => vehicles),
    conflictingVehicleIds: parts.flatMap(({ conflictingVehicleIds = [] }) => conflictingVehicleIds),
    mustStayFree: parts.flatMap(({ mustStayFree = [] }) => mustStayFree),
  };
}

export function noWrites(): RegistryWrites {
  return {
    readSet: concatReadSets([]),
    policies: [],
    certificates: [],
    vehicles: [],
    identifiers: [],
    certificateVehicles: [],
    reservations: [],
    versions: [],
    flags: [],
  };
}

export function concatWrites(sets: readonly RegistryWrites[]): RegistryWrites {
  return {
    readSet: concatReadSets(sets.map(({ readSet }) => readSet)),
    policies: sets.flatMap(({ policies }) => policies),
    certificates: sets.flatMap(({ certificates }) => certificates),
    vehicles: sets.flatMap(({ vehicles }) => vehicles),
    identifiers: sets.flatMap(({ identifiers }) => identifiers),
    certificateVehicles: sets.flatMap(({ certificateVehicles }) => certificateVehicles),
    reservations: sets.flatMap(({ reservations }) => reservations),
    versions: sets.flatMap(({ versions }) => versions),
    flags: sets.flatMap(({ flags }) => flags),
  };
}
