import { type Identifiers, presentIdentifiers } from '../../../shared/domain/identifiers.ts';
import { readSubmission, type Submission } from '../../../shared/domain/registration/submission.ts';
import type {
  CanonicalVehicle,
  Facts,
  Organization,
  PoolMembership,
  ReferenceVehicle,
  RegisteredPolicy,
} from '../../../shared/domain/rules/facts.ts';
import { type BodyChanges, makeBody } from '../../env/api/bodies.ts';

// Inputs of the pure rules on a fixed day.

export const TODAY = '2026-06-15';

export const ALPHA = makeOrganization('INS-ALPHA');
export const BRAVO = makeOrganization('INS-BRAVO');
export const MANAGEMENT = makeOrganization('MGT-ONE', { type: 'MANAGEMENT_COMPANY' });
export const POOL = makeOrganization('POOL-NORTH', { type: 'INSURANCE_POOL' });

export function makeOrganization(code: string, changes: Partial<Organization> = {}): Organization {
  return {
    id: `id of ${code}`,
    code,
    name: `${code} Company`,
    type: 'INSURANCE_COMPANY',
    status: 'ACTIVE',
    ...changes,
  };
}

/** Led by ALPHA, managed by MANAGEMENT, since 2025. */
export function makeMembership(changes: Partial<PoolMembership> = {}): PoolMembership {
  return {
    poolId: POOL.id,
    poolCode: POOL.code,
    poolStatus: 'ACTIVE',
    leadInsurerId: ALPHA.id,
    managementCompanyId: MANAGEMENT.id,
    validFrom: '2025-01-01',
    validTo: null,
    ...changes,
  };
}

/** A registered policy with the details of a submission. */
export function makePolicy(changes: Partial<RegisteredPolicy> = {}): RegisteredPolicy {
  return {
    id: 'policy',
    revision: '7',
    issuanceDate: TODAY,
    coverageType: 'PPAI_STANDARD',
    premiumAmount: '1250.5',
    officialReceiptNumber: null,
    remarks: null,
    poolId: null,
    poolCode: null,
    ...changes,
  };
}

/** ALPHA transmits for itself on TODAY. Nothing is registered. NCR has reference data without vehicles. */
export function makeFacts(changes: Partial<Facts> = {}): Facts {
  return {
    today: TODAY,
    ruleSet: {
      coverageTypes: ['PPAI_STANDARD'],
      maxCoverageDays: 400,
      maxVehiclesPerCertificate: 500,
      expiringWithinDays: 30,
      flagNoMatch: true,
      flagForReview: true,
    },
    submitter: ALPHA,
    client: {
      status: 'ACTIVE',
      scopes: ['ppai:transmit', 'ppai:amend', 'ppai:cancel'],
      neededScope: 'ppai:transmit',
    },
    issuingInsurer: ALPHA,
    pool: null,
    memberships: [],
    registered: null,
    policy: null,
    vehicles: [],
    blockers: [],
    related: [],
    referenceRegions: ['NCR'],
    referenceVehicles: [],
    ...changes,
  };
}

/** A submission that passes every level without a flag, except for `changes`. It is issued on TODAY and in force from then. */
export function makeSubmission(changes: BodyChanges = {}): Submission {
  return readSubmission(
    makeBody({
      ...changes,
      policy: { issuanceDate: TODAY, ...changes.policy },
      certificate: {
        effectiveDate: TODAY,
        expirationDate: '2027-06-14',
        ...changes.certificate,
      },
    }),
  );
}

/** A canonical vehicle that is the first owner of these identifiers. */
export function makeCanonical(
  id: string,
  identifiers: Partial<Identifiers>,
  changes: Partial<CanonicalVehicle> = {},
): CanonicalVehicle {
  const owned = presentIdentifiers({
    plateNumber: null,
    mvFileNumber: null,
    engineNumber: null,
    chassisNumber: null,
    ...identifiers,
  });
  return {
    id,
    revision: '1',
    identifiers: owned.map((one) => ({ ...one, rank: 0 })),
    certificates: [],
    ...changes,
  };
}

export function makeReference(id: string, identifiers: Partial<Identifiers>): ReferenceVehicle {
  return {
    id,
    plateNumber: null,
    mvFileNumber: null,
    engineNumber: null,
    chassisNumber: null,
    ...identifiers,
  };
}
