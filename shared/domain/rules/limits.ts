import { asWarning, type Finding, makeFinding } from '../../contract/findings.ts';
import { type Amending, fieldOf } from '../amendment/amending.ts';
import { daysBetween, isCalendarDate } from '../calendar.ts';
import type { Submission, SubmittedCertificate } from '../registration/submission.ts';
import type { Facts, RuleSet } from './facts.ts';

/**
 * Level 2 for the limits of the rule set (api.md, "Versioning", 3). A record that is older than a limit may exceed it. An
 * amendment that does not increase the excess gets the same code as a WARNING (D30).
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
  return amending?.current.policy.coverageType === coverageType
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
  const allowed = Math.max(max, (amending && daysOf(amending.current.certificate)) ?? 0);
  const field = fieldOf(amending, 'certificate.expirationDate', 'certificate.effectiveDate');
  const found = (message: string) => makeFinding('COVERAGE_TOO_LONG', field, message);
  return days <= allowed
    ? [
        asWarning(
          found(`The coverage spans ${days} days; new certificates may have at most ${max}.`),
        ),
      ]
    : [found(`The coverage spans ${days} days; at most ${allowed} are allowed.`)];
}

function checkVehicleCount(
  { vehicles: { length: count } }: Submission,
  { maxVehiclesPerCertificate: max }: RuleSet,
  amending: Amending | undefined,
): Finding[] {
  if (count <= max) return [];
  const allowed = Math.max(max, amending?.current.vehicles.length ?? 0);
  const found = (message: string) =>
    makeFinding('INVALID_FORMAT', fieldOf(amending, 'vehicles'), message);
  return count <= allowed
    ? [
        asWarning(
          found(`The certificate has ${count} vehicles; new certificates may have at most ${max}.`),
        ),
      ]
    : [
        found(
          `The certificate would have ${count} vehicles; at most ${allowed} are allowed. Transmit the others under another certificate number.`,
        ),
      ];
}

/** The length of the period; undefined when a date is absent or invalid. */
function daysOf({ effectiveDate, expirationDate }: SubmittedCertificate): number | undefined {
  if (effectiveDate === null || expirationDate === null) return undefined;
  if (!isCalendarDate(effectiveDate) || !isCalendarDate(expirationDate)) return undefined;
  return daysBetween(effectiveDate, expirationDate);
}
