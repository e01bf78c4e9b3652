import { type Finding, makeFinding } from '../../contract/findings.ts';
import { isCalendarDate } from '../calendar.ts';
import type { Facts, PoolMembership } from '../facts.ts';
import type { Submission } from '../submission.ts';

type AuthorityFacts = Pick<
  Facts,
  'submitter' | 'client' | 'issuingInsurer' | 'pool' | 'memberships'
>;

/**
 * Level 3 of "Validation levels": who may transmit for whom (api.md, "Machine API", 8).
 * Absent or unreadable values that level 1 or 2 reports are not reported again.
 */
export function checkAuthority(submission: Submission, facts: AuthorityFacts): Finding[] {
  return [
    ...checkSubmitter(facts),
    ...checkInsurer(submission, facts),
    ...checkTransmitter(submission, facts),
    ...checkPool(submission, facts),
  ];
}

function checkSubmitter({ submitter, client }: AuthorityFacts): Finding[] {
  const findings: Finding[] = [];
  if (submitter.status !== 'ACTIVE') {
    findings.push(
      makeFinding(
        'ORGANIZATION_NOT_ACTIVE',
        null,
        'Your organization is not active; ask the regulator.',
      ),
    );
  }
  if (
    client !== null &&
    (client.status !== 'ACTIVE' || !client.scopes.includes(client.neededScope))
  ) {
    findings.push(
      makeFinding(
        'MISSING_SCOPE',
        null,
        `Your client no longer holds the scope ${client.neededScope}.`,
      ),
    );
  }
  return findings;
}

function checkInsurer(
  { issuingInsurerCode }: Submission,
  { issuingInsurer }: AuthorityFacts,
): Finding[] {
  if (issuingInsurerCode === null) return [];
  if (issuingInsurer === null || issuingInsurer.type !== 'INSURANCE_COMPANY') {
    return [
      makeFinding('UNKNOWN_INSURER', 'issuingInsurerCode', 'No insurance company has this code.'),
    ];
  }
  return issuingInsurer.status === 'ACTIVE'
    ? []
    : [
        makeFinding(
          'INSURER_NOT_ACTIVE',
          'issuingInsurerCode',
          'This insurance company is not active.',
        ),
      ];
}

function checkTransmitter(
  { policy }: Submission,
  { submitter, issuingInsurer, memberships }: AuthorityFacts,
): Finding[] {
  if (issuingInsurer === null || issuingInsurer.type !== 'INSURANCE_COMPANY') return [];
  return mayTransmitFor(submitter.id, issuingInsurer.id, memberships, policy.issuanceDate)
    ? []
    : [
        makeFinding(
          'NOT_AUTHORIZED_TO_TRANSMIT',
          'issuingInsurerCode',
          'You are neither this insurer nor lead insurer or management company of a pool it belonged to on the issuance date.',
        ),
      ];
}

function checkPool(
  { poolCode, policy, issuingInsurerCode }: Submission,
  { memberships }: Pick<AuthorityFacts, 'memberships'>,
): Finding[] {
  if (poolCode === null || issuingInsurerCode === null) return [];
  if (policy.issuanceDate === null || !isCalendarDate(policy.issuanceDate)) return [];
  const { issuanceDate } = policy;
  return memberships.some((one) => one.poolCode === poolCode && isMemberOn(one, issuanceDate))
    ? []
    : [
        makeFinding(
          'POOL_MEMBERSHIP_NOT_FOUND',
          'poolCode',
          'The issuing insurer was not a member of a pool of this code on the issuance date.',
        ),
      ];
}

/**
 * The issuing insurer itself, or the lead insurer or management company of a pool that the insurer
 * belonged to on the issuance date.
 */
export function mayTransmitFor(
  submitterId: string,
  insurerId: string,
  memberships: readonly PoolMembership[],
  issuanceDate: string | null,
): boolean {
  if (submitterId === insurerId) return true;
  if (issuanceDate === null || !isCalendarDate(issuanceDate)) return false;
  return memberships.some(
    (one) =>
      (one.leadInsurerId === submitterId || one.managementCompanyId === submitterId) &&
      isMemberOn(one, issuanceDate),
  );
}

function isMemberOn({ validFrom, validTo }: PoolMembership, date: string): boolean {
  return validFrom <= date && (validTo === null || date <= validTo);
}
