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

// What a submission is judged against, read in one look at the registry.

export interface Organization {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: OrganizationType;
  readonly status: OrganizationStatus;
}

/** api.md, "Versioning", 3. */
export interface RuleSet {
  readonly coverageTypes: readonly string[];
  readonly maxCoverageDays: number;
  readonly maxVehiclesPerCertificate: number;
  readonly expiringWithinDays: number;
  readonly flagNoMatch: boolean;
  readonly flagForReview: boolean;
}

/** A dated membership of the issuing insurer in a pool. `validTo` null: without end. */
export interface PoolMembership {
  readonly poolId: string;
  readonly poolCode: string;
  /** As it is now: a pool that is not ACTIVE gives nobody authority (D34). */
  readonly poolStatus: OrganizationStatus;
  readonly leadInsurerId: string;
  readonly managementCompanyId: string | null;
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** The machine client that sent the transmission, as it is now; null when a person did. */
export interface SendingClient {
  readonly status: ClientStatus;
  readonly scopes: readonly Scope[];
  readonly neededScope: Scope;
}

/** The record that already holds the policy and certificate number for this insurer. */
export interface RegisteredCertificate {
  readonly certificateId: string;
  readonly registryReference: string;
  readonly lifecycle: Lifecycle;
  readonly vehicles: readonly Identifiers[];
}

export interface RegisteredPolicy {
  readonly id: string;
  /** Another one each time its details change; null while it is about to be registered itself. */
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
  /** Another one each time that a certificate with it is registered or calls it otherwise. */
  readonly revision: string;
  readonly identifiers: readonly OwnedIdentifier[];
  /** Its certificates that are not cancelled. */
  readonly certificates: readonly CoveringCertificate[];
}

export interface CoveringCertificate {
  readonly certificateId: string;
  /** Another one each time that it is amended or cancelled. */
  readonly revision: string;
  readonly period: Period;
}

export interface OwnedIdentifier {
  readonly kind: IdentifierKind;
  readonly value: string;
  /** Order among the owners of this identifier; the first is 0. */
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

/** The record that a canonical vehicle was registered on last. */
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
  /** The pool of the submission's pool code; null when none was sent or it is unknown. */
  readonly pool: Organization | null;
  readonly memberships: readonly PoolMembership[];
  readonly registered: RegisteredCertificate | null;
  readonly policy: RegisteredPolicy | null;
  readonly vehicles: readonly CanonicalVehicle[];
  readonly blockers: readonly Blocker[];
  /** Of vehicles that are named beside the own one (D10); without the record itself. */
  readonly related: readonly RelatedRecord[];
  readonly referenceRegions: readonly string[];
  readonly referenceVehicles: readonly ReferenceVehicle[];
}
