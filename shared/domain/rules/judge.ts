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
  /** Of IDENTIFIER_CONFLICT, that of the most specific other vehicle which has one. */
  readonly related: RelatedRecord | null;
}

export interface Verdict {
  readonly status: TerminalStatus;
  /** Null unless rejected. */
  readonly errorCode: ErrorCode | null;
  /** All findings of all levels, by level. */
  readonly findings: readonly Finding[];
  readonly flags: readonly RaisedFlag[];
  /** One per vehicle, in their order. */
  readonly referenceMatches: readonly ReferenceMatch[];
  readonly matched: readonly MatchedVehicle[];
}

export interface JudgeOptions {
  /** Findings that were made before the four levels, such as UNKNOWN_FIELD. */
  readonly findings?: readonly Finding[];
  /** Which canonical vehicle a position of the submission is, where that is known (amendments). */
  readonly knownVehicles?: ReadonlyMap<number, string>;
  /** Vehicles that the record covers on these days already, by position: only what they gain is in question. */
  readonly coveredVehicles?: ReadonlyMap<number, CoveredVehicle>;
  /** The numbers of policy and certificate are a record's: they were taken once, whatever is asked of them now. */
  readonly hasRegisteredNumbers?: boolean;
  /** Of an amendment: the record as it is, and where its changes were sent. */
  readonly amending?: Amending;
}

/**
 * All four levels run and every finding is collected before the decision ("Validation levels"). The
 * facts' blockers may be left out at first: the database refuses a second cover by itself (D9).
 */
export function judge(submission: Submission, facts: Facts, options: JudgeOptions = {}): Verdict {
  const matched = matchVehicles(submission.vehicles, facts.vehicles, options.knownVehicles);
  const outcomes = checkReference(submission, facts, options.amending);
  // Who may not transmit for an insurer does not learn which policies and certificates it has (D28).
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

/** A policy that is registered keeps its details: other certificates share it. Warnings only. */
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
  return pairs.flatMap(([field, sent, held]) =>
    sent === held
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

/** The most specific identifier decides which vehicle it is (D10); a vehicle is one of a certificate's only. */
function conflictMessage({ vehicle, matches, canonical }: MatchedVehicle): string {
  const owners = matches.map((match) => {
    const owned = new Set(match.identifiers.map(identifierText));
    const shared = presentIdentifiers(vehicle).filter((one) => owned.has(identifierText(one)));
    return inWords(shared.map(({ kind }) => kind));
  });
  return canonical === null
    ? `The ${owners.join('; ')} is that of a registered vehicle which is another one of this certificate.`
    : `The identifiers match ${matches.length} registered vehicles (${owners.join('; ')}); the most specific identifier decided.`;
}

function relatedTo(match: MatchedVehicle, records: readonly RelatedRecord[]): RelatedRecord | null {
  const [first] = othersOf(match).flatMap(({ id }) =>
    records.filter(({ vehicleId }) => vehicleId === id),
  );
  return first ?? null;
}
