import { asWarning, type Finding, makeFinding } from '../../contract/findings.ts';
import { type Amending, fieldOf } from '../amendment/amending.ts';
import { daysBetween, isCalendarDate } from '../calendar.ts';
import type { Submission, SubmittedCertificate } from '../registration/submission.ts';
import type { Facts, RuleSet } from './facts.ts';

/**
 * Level 2 of what the rule set limits (api.md, "Versioning", 3). A record that exceeds a limit already, since the limit is
 * newer, may be amended without making it worse: the same code is a WARNING then (D30).
 */
export function checkLimits(
  submission: Submission,
  { ruleSet }: Pick<Facts, 'ruleSet'>,
  amending?: Amending,
): Finding[] {
  return [
    ...checkCoverageType(submission, ruleSet, amending),
    ...checkCoverageDays(submission, ruleSet, amending),
    ...checkVehicleCount(submission, ruleSet, amending),
  ];
}

function checkCoverageType(
  { policy: { coverageType } }: Submission,
  { coverageTypes }: RuleSet,
  amending: Amending | undefined,
): Finding[] {
  if (coverageType === null || coverageTypes.includes(coverageType)) return [];
  const found = (message: string) =>
    makeFinding('UNSUPPORTED_COVERAGE_TYPE', fieldOf(amending, 'policy.coverageType'), message);
  const allowed = `one of ${coverageTypes.join(', ')}`;
  return amending?.before.policy.coverageType === coverageType
    ? [asWarning(found(`The record keeps a coverage type that is no longer ${allowed}.`))]
    : [found(`Must be ${allowed}.`)];
}

function checkCoverageDays(
  { certificate }: Submission,
  { maxCoverageDays: max }: RuleSet,
  amending: Amending | undefined,
): Finding[] {
  const days = daysOf(certificate);
  if (days === undefined || days <= max) return [];
  const allowed = Math.max(max, (amending && daysOf(amending.before.certificate)) ?? 0);
  const field = fieldOf(amending, 'certificate.expirationDate', 'certificate.effectiveDate');
  const found = (message: string) => makeFinding('COVERAGE_TOO_LONG', field, message);
  return days <= allowed
    ? [asWarning(found(`The coverage spans ${days} days, more than the ${max} of new ones.`))]
    : [found(`The coverage spans ${days} days; at most ${allowed} are allowed.`)];
}

function checkVehicleCount(
  { vehicles: { length: count } }: Submission,
  { maxVehiclesPerCertificate: max }: RuleSet,
  amending: Amending | undefined,
): Finding[] {
  if (count <= max) return [];
  const allowed = Math.max(max, amending?.before.vehicles.length ?? 0);
  const found = (message: string) =>
    makeFinding('INVALID_FORMAT', fieldOf(amending, 'vehicles'), message);
  return count <= allowed
    ? [asWarning(found(`The certificate has ${count} vehicles, more than the ${max} of new ones.`))]
    : [
        found(
          `The certificate would have ${count} vehicles; at most ${allowed} are allowed. Transmit the others under another certificate number.`,
        ),
      ];
}

/** Undefined when the dates name no period. */
function daysOf({ effectiveDate, expirationDate }: SubmittedCertificate): number | undefined {
  if (effectiveDate === null || expirationDate === null) return undefined;
  if (!isCalendarDate(effectiveDate) || !isCalendarDate(expirationDate)) return undefined;
  return daysBetween(effectiveDate, expirationDate);
}
