import { asWarning, type Finding, makeFinding } from '../../contract/findings.ts';
import { type Amending, fieldOf } from '../amendment/amending.ts';
import type { CurrentRecord } from '../amendment/record.ts';
import { isCalendarDate } from '../calendar.ts';
import type { Submission } from '../registration/submission.ts';
import type { Facts, PoolMembership } from './facts.ts';

type AuthorityFacts = Pick<
  Facts,
  'submitter' | 'client' | 'issuingInsurer' | 'pool' | 'memberships' | 'policy'
>;

/**
 * Level 3 of "Validation levels": checks who may transmit for whom (api.md, "Machine API", 8; D28, D34).
 * It does not report values that level 1 or 2 already reports.
 */
export function checkAuthority(
  submission: Submission,
  facts: AuthorityFacts,
  amending?: Amending,
): Finding[] {
  return [
    ...checkSubmitter(facts),
    ...checkInsurer(submission, facts),
    ...checkTransmitter(submission, facts, amending),
    ...checkPool(submission, facts, amending),
  ];
}

/**
 * Level 3 for a change to a record: has the transmitter lost authority over it since the request was received? Such a
 * transmitter learns nothing about the record, not even that it is cancelled (D28). The record's pool is not checked again,
 * because it mattered when the certificate was issued.
 */
export function checkRecordAuthority(
  { submission }: Pick<CurrentRecord, 'submission'>,
  facts: AuthorityFacts,
): Finding[] {
  const { issuingInsurer } = facts;
  const isInsurer = issuingInsurer?.type === 'INSURANCE_COMPANY';
  if (!isInsurer || hasAuthority(submission, facts)) return [];
  return checkAuthority({ ...submission, poolCode: null }, facts);
}

/**
 * True if the transmitter may learn which policies and certificates the insurer has (D28): it is the insurer itself, or it has
 * authority to transmit for the insurer.
 */
export function mayKnowPolicies(submission: Submission, facts: AuthorityFacts): boolean {
  const { submitter, issuingInsurer } = facts;
  const isOwn = submitter.id === issuingInsurer?.id;
  return hasAuthority(submission, facts) && (isOwn || submitter.status === 'ACTIVE');
}

function checkSubmitter({ submitter, client }: AuthorityFacts): Finding[] {
  const findings: Finding[] = [];
  if (submitter.status !== 'ACTIVE') {
    findings.push(
      makeFinding(
        'ORGANIZATION_NOT_ACTIVE',
        null,
        'Your organization is not active: it can read, but not transmit, amend or cancel. Ask the regulator.',
      ),
    );
  }
  if (client !== null && client.status !== 'ACTIVE') {
    const message = 'Your client is no longer active. Ask the regulator.';
    findings.push(makeFinding('MISSING_SCOPE', null, message));
  } else if (client !== null && !client.scopes.includes(client.neededScope)) {
    const message = `Your client no longer holds the scope ${client.neededScope}. Ask the regulator.`;
    findings.push(makeFinding('MISSING_SCOPE', null, message));
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
          'This insurance company is not active: nothing can be transmitted, amended or cancelled for it.',
        ),
      ];
}

/** The finding says only that authority is missing, neither why nor on which day (D28). */
function checkTransmitter(
  submission: Submission,
  facts: AuthorityFacts,
  amending: Amending | undefined,
): Finding[] {
  if (facts.issuingInsurer === null || facts.issuingInsurer.type !== 'INSURANCE_COMPANY') return [];
  return hasAuthority(submission, facts)
    ? []
    : [
        makeFinding(
          'NOT_AUTHORIZED_TO_TRANSMIT',
          amending?.findSentPath('policy.issuanceDate') ?? fieldOf(amending, 'issuingInsurerCode'),
          "You are neither this insurer nor, by a pool that is active and that it belonged to on the policy's issuance date, its lead insurer or management company.",
        ),
      ];
}

function checkPool(
  submission: Submission,
  facts: AuthorityFacts,
  amending: Amending | undefined,
): Finding[] {
  const { poolCode, issuingInsurerCode } = submission;
  if (poolCode === null || issuingInsurerCode === null) return [];
  return [
    ...checkPoolStatus(poolCode, facts, amending),
    ...checkMembership(poolCode, submission, facts, amending),
  ];
}

/** A record may keep an inactive pool (D45), because other certificates may share its policy and so its pool. */
function checkPoolStatus(
  poolCode: string,
  { pool }: AuthorityFacts,
  amending: Amending | undefined,
): Finding[] {
  if (pool === null || pool.type !== 'INSURANCE_POOL' || pool.status === 'ACTIVE') return [];
  const code = 'ORGANIZATION_NOT_ACTIVE';
  const field = fieldOf(amending, 'poolCode');
  return amending?.current.poolCode === poolCode
    ? [asWarning(makeFinding(code, field, `The record's pool ${poolCode} is not active.`))]
    : [makeFinding(code, field, `The pool ${poolCode} is not active: name another one, or none.`)];
}

function checkMembership(
  poolCode: string,
  submission: Submission,
  facts: AuthorityFacts,
  amending: Amending | undefined,
): Finding[] {
  // Who may not know the policy is answered by the date that they sent, which tells nothing of it (D28).
  const issuanceDate = mayKnowPolicies(submission, facts)
    ? registryIssuanceDate(submission, facts)
    : submission.policy.issuanceDate;
  if (issuanceDate === null || !isCalendarDate(issuanceDate)) return [];
  return facts.memberships.some((one) => one.poolCode === poolCode && isMemberOn(one, issuanceDate))
    ? []
    : [
        makeFinding(
          'POOL_MEMBERSHIP_NOT_FOUND',
          fieldOf(amending, 'poolCode', 'policy.issuanceDate'),
          `The issuing insurer was not a member of a pool ${poolCode} on the issuance date, ${issuanceDate}.`,
        ),
      ];
}

/** The issuance date that the registry will store: that of the registered policy, otherwise the submitted one (D28). */
function registryIssuanceDate(
  submission: Submission,
  { policy }: Pick<AuthorityFacts, 'policy'>,
): string | null {
  return policy?.issuanceDate ?? submission.policy.issuanceDate;
}

/**
 * True for the issuing insurer itself, and for the lead insurer and the management company of an active pool that the insurer
 * belonged to on the issuance date.
 */
function hasAuthority(submission: Submission, facts: AuthorityFacts): boolean {
  const { submitter, issuingInsurer, memberships } = facts;
  if (submitter.id === issuingInsurer?.id) return true;
  const issuanceDate = registryIssuanceDate(submission, facts);
  if (issuanceDate === null || !isCalendarDate(issuanceDate)) return false;
  return memberships.some(
    (one) =>
      one.poolStatus === 'ACTIVE' &&
      (one.leadInsurerId === submitter.id || one.managementCompanyId === submitter.id) &&
      isMemberOn(one, issuanceDate),
  );
}

function isMemberOn({ validFrom, validTo }: PoolMembership, date: string): boolean {
  return validFrom <= date && (validTo === null || date <= validTo);
}
