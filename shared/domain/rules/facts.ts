import type {
  ClientStatus,
  IdentifierKind,
  Lifecycle,
  OrganizationStatus,
  OrganizationType,
  Scope,
} from '../../contract/enums.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Period } from '../registration/submission.ts';

// The facts by which the rules judge a submission. All of them are read at one moment.

export interface Organization {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: OrganizationType;
  readonly status: OrganizationStatus;
}

/** The rules that the regulator can change (api.md, "Versioning", 3). */
export interface RuleSet {
  readonly coverageTypes: readonly string[];
  readonly maxCoverageDays: number;
  readonly maxVehiclesPerCertificate: number;
  readonly expiringWithinDays: number;
  readonly flagNoMatch: boolean;
  readonly flagForReview: boolean;
}

/** A dated membership of the issuing insurer in a pool. `validTo` is null for a membership without an end. */
export interface PoolMembership {
  readonly poolId: string;
  readonly poolCode: string;
  /** The current status. A pool that is not ACTIVE gives nobody authority (D34). */
  readonly poolStatus: OrganizationStatus;
  readonly leadInsurerId: string;
  readonly managementCompanyId: string | null;
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** The current state of the machine client that sent the transmission. */
export interface SendingClient {
  readonly status: ClientStatus;
  readonly scopes: readonly Scope[];
  readonly neededScope: Scope;
}

/** The record that already has this insurer's policy and certificate number. */
export interface RegisteredCertificate {
  readonly certificateId: string;
  readonly registryReference: string;
  readonly lifecycle: Lifecycle;
  readonly vehicles: readonly Identifiers[];
}

export interface RegisteredPolicy {
  readonly id: string;
  /** Changes each time the details change; null for a policy that the same batch registers. */
  readonly revision: string | null;
  readonly issuanceDate: string;
  readonly coverageType: string;
  /** Decimal string. */
  readonly premiumAmount: string | null;
  readonly officialReceiptNumber: string | null;
  readonly remarks: string | null;
  readonly poolId: string | null;
  readonly poolCode: string | null;
}

/** A canonical vehicle that owns at least one of the transmitted identifiers (D10). */
export interface CanonicalVehicle {
  readonly id: string;
  /** Changes each time a certificate with the vehicle is registered or changes the vehicle's identifiers. */
  readonly revision: string;
  readonly identifiers: readonly OwnedIdentifier[];
  /** The vehicle's certificates that are not cancelled. */
  readonly certificates: readonly CoveringCertificate[];
}

export interface CoveringCertificate {
  readonly certificateId: string;
  /** Changes each time the certificate is amended or cancelled. */
  readonly revision: string;
  readonly period: Period;
}

export interface OwnedIdentifier {
  readonly kind: IdentifierKind;
  readonly value: string;
  /** The order among the owners of this identifier; the first owner has 0. */
  readonly rank: number;
}

/** A certificate in force on an identifier within the submission's period. */
export interface Blocker {
  readonly kind: IdentifierKind;
  readonly value: string;
  readonly certificateId: string;
  readonly insurerName: string;
  readonly expirationDate: string;
}

/** The last record on which a canonical vehicle was registered. */
export interface RelatedRecord {
  readonly vehicleId: string;
  readonly certificateId: string;
  readonly registryReference: string;
}

export interface ReferenceVehicle extends Identifiers {
  readonly id: string;
}

export interface Facts {
  /** The registry's calendar date (D8). */
  readonly today: string;
  readonly ruleSet: RuleSet;
  readonly submitter: Organization;
  readonly client: SendingClient | null;
  readonly issuingInsurer: Organization | null;
  /** The pool of the submission's pool code; null when no code was sent or the code is unknown. */
  readonly pool: Organization | null;
  readonly memberships: readonly PoolMembership[];
  readonly registered: RegisteredCertificate | null;
  readonly policy: RegisteredPolicy | null;
  readonly vehicles: readonly CanonicalVehicle[];
  readonly blockers: readonly Blocker[];
  /** The last records of the conflicting vehicles (D10), without the record itself. */
  readonly related: readonly RelatedRecord[];
  readonly referenceRegions: readonly string[];
  readonly referenceVehicles: readonly ReferenceVehicle[];
}
