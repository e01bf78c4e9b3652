import type { FlagType, TerminalStatus } from '../../contract/enums.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { type Finding, makeFinding } from '../../contract/findings.ts';
import type { ReferenceMatch } from '../../contract/machine/acknowledgment.ts';
import { rejectionCode } from '../../contract/machine/rejection.ts';
import type { Amending } from '../amendment/amending.ts';
import { identifierText, presentIdentifiers } from '../identifiers.ts';
import { inWords } from '../presentation/in-words.ts';
import type { Submission } from '../registration/submission.ts';
import { checkAuthority, mayKnowPolicies } from './authority.ts';
import {
  type CoveredVehicle,
  checkCertificateNumber,
  checkCoverage,
  othersOf,
} from './conflicts.ts';
import type { Facts, RegisteredPolicy, RelatedRecord } from './facts.ts';
import { checkFormat, checkNumbers } from './format.ts';
import { isIdentifierConflict, type MatchedVehicle, matchVehicles } from './matching.ts';
import { checkReference, type ReferenceOutcome } from './reference.ts';
import { checkRequired } from './required.ts';

/** A flag to raise on the vehicle at `position` of the submission. */
export interface RaisedFlag {
  readonly type: FlagType;
  readonly position: number;
  readonly plateNumber: string | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** For IDENTIFIER_CONFLICT: the last record of the most specific conflicting vehicle that has one. */
  readonly related: RelatedRecord | null;
}

export interface Verdict {
  readonly status: TerminalStatus;
  /** Null unless the status is REJECTED. */
  readonly errorCode: ErrorCode | null;
  /** The findings of all levels, in the order of levels. */
  readonly findings: readonly Finding[];
  readonly flags: readonly RaisedFlag[];
  /** One for each vehicle, in their order. */
  readonly referenceMatches: readonly ReferenceMatch[];
  readonly matched: readonly MatchedVehicle[];
}

export interface JudgeOptions {
  /** Findings from before the four levels, such as UNKNOWN_FIELD. */
  readonly findings?: readonly Finding[];
  /** The ids of canonical vehicles that are known, by position of the submission (amendments). */
  readonly knownVehicles?: ReadonlyMap<number, string>;
  /** Vehicles that the record already covers on these days, by position. Only their new identifiers can conflict. */
  readonly coveredVehicles?: ReadonlyMap<number, CoveredVehicle>;
  /** True for an amendment: the record already has these policy and certificate numbers, so their form is not checked again. */
  readonly hasRegisteredNumbers?: boolean;
  /** The amendment that leads to this submission; undefined for a new certificate. */
  readonly amending?: Amending;
}

/**
 * Runs all four levels and collects every finding before the decision ("Validation levels"). The facts may have no blockers
 * at first, because the database itself refuses a second cover (D9).
 */
export function judge(submission: Submission, facts: Facts, options: JudgeOptions = {}): Verdict {
  const matched = matchVehicles(submission.vehicles, facts.vehicles, options.knownVehicles);
  const outcomes = checkReference(submission, facts, options.amending);
  // A sender without authority must not learn which policies and certificates the insurer has (D28).
  const known = mayKnowPolicies(submission, facts)
    ? facts
    : { ...facts, registered: null, policy: null };
  const findings = [
    ...(options.findings ?? []),
    ...checkRequired(submission, options.amending),
    ...(options.hasRegisteredNumbers ? [] : checkNumbers(submission)),
    ...checkFormat(submission, facts, options.amending),
    ...checkAuthority(submission, facts, options.amending),
    ...checkCertificateNumber(submission, known),
    ...checkPolicyDetails(submission, known.policy),
    ...checkCoverage(matched, known, options.coveredVehicles, options.amending),
    ...outcomes.map(findingOf),
  ];
  findings.sort(byLevel);
  const errorCode = rejectionCode(findings);
  const flags = errorCode === null ? raiseFlags(matched, outcomes, facts) : [];
  return {
    status: errorCode !== null ? 'REJECTED' : flags.length > 0 ? 'FLAGGED' : 'ACCEPTED',
    errorCode,
    findings,
    flags,
    referenceMatches: matchesOf(submission, outcomes),
    matched,
  };
}

function findingOf({ finding }: ReferenceOutcome): Finding {
  return finding;
}

function byLevel(one: Finding, other: Finding): number {
  return one.level - other.level;
}

function matchesOf(
  { vehicles }: Submission,
  outcomes: readonly ReferenceOutcome[],
): ReferenceMatch[] {
  const matches: ReferenceMatch[] = [];
  for (const [position, { result }] of outcomes.entries()) {
    matches.push({ plateNumber: vehicles[position]?.plateNumber ?? null, result });
  }
  return matches;
}

/** A registered policy keeps its details, because other certificates share it. Different details are only warnings. */
function checkPolicyDetails(
  { policy, poolCode }: Submission,
  registered: RegisteredPolicy | null,
): Finding[] {
  if (registered === null) return [];
  const premium = registered.premiumAmount === null ? null : Number(registered.premiumAmount);
  const pairs: [string, unknown, unknown][] = [
    ['policy.issuanceDate', policy.issuanceDate, registered.issuanceDate],
    ['policy.coverageType', policy.coverageType, registered.coverageType],
    ['policy.premiumAmount', policy.premiumAmount, premium],
    [
      'policy.officialReceiptNumber',
      policy.officialReceiptNumber,
      registered.officialReceiptNumber,
    ],
    ['policy.remarks', policy.remarks, registered.remarks],
    ['poolCode', poolCode, registered.poolCode],
  ];
  return pairs.flatMap(([field, sent, kept]) =>
    sent === kept
      ? []
      : makeFinding(
          'POLICY_DETAILS_DIFFER',
          field,
          'The policy is already registered with another value, which stays. Other details need another policy number.',
        ),
  );
}

function raiseFlags(
  matched: readonly MatchedVehicle[],
  outcomes: readonly ReferenceOutcome[],
  { ruleSet, related }: Pick<Facts, 'ruleSet' | 'related'>,
): RaisedFlag[] {
  const flags: RaisedFlag[] = [];
  for (const [position, match] of matched.entries()) {
    const { plateNumber } = match.vehicle;
    const outcome = outcomes[position];
    const isMismatch =
      (outcome?.result === 'NO_MATCH' && ruleSet.flagNoMatch) ||
      (outcome?.result === 'FOR_REVIEW' && !outcome.unavailable && ruleSet.flagForReview);
    if (outcome !== undefined && isMismatch) {
      flags.push({
        type: 'VEHICLE_MISMATCH',
        position,
        plateNumber,
        message: outcome.finding.message,
        details: { result: outcome.result },
        related: null,
      });
    }
    if (isIdentifierConflict(match)) {
      flags.push({
        type: 'IDENTIFIER_CONFLICT',
        position,
        plateNumber,
        message: conflictMessage(match),
        details: {
          matchedVehicleIds: match.matches.map(({ id }) => id),
          decidedVehicleId: match.canonical?.id ?? null,
        },
        related: relatedTo(match, related),
      });
    }
  }
  return flags;
}

/** The most specific identifier decides which vehicle it is (D10). A canonical vehicle is at most once on a certificate. */
function conflictMessage({ vehicle, matches, canonical }: MatchedVehicle): string {
  const owners = matches.map((match) => {
    const owned = new Set(match.identifiers.map(identifierText));
    const shared = presentIdentifiers(vehicle).filter((one) => owned.has(identifierText(one)));
    return inWords(shared.map(({ kind }) => kind));
  });
  return canonical === null
    ? `The ${owners.join('; ')} belongs to another vehicle of this certificate.`
    : `The identifiers match ${matches.length} registered vehicles (${owners.join('; ')}); the most specific identifier decided.`;
}

function relatedTo(match: MatchedVehicle, records: readonly RelatedRecord[]): RelatedRecord | null {
  const [first] = othersOf(match).flatMap(({ id }) =>
    records.filter(({ vehicleId }) => vehicleId === id),
  );
  return first ?? null;
}
