import { OUT_OF_RANGE } from '../../contract/dates.ts';
import {
  DENOMINATIONS,
  IDENTIFIER_KINDS,
  type IdentifierKind,
  OPERATOR_TYPES,
  REGIONS,
  VEHICLE_TYPES,
} from '../../contract/enums.ts';
import { type Finding, type FindingCode, makeFinding } from '../../contract/findings.ts';
import {
  PASSENGER_CAPACITY_MAX,
  PREMIUM_MAX,
  YEAR_MODEL_MAX,
  YEAR_MODEL_MIN,
} from '../../contract/machine/transmission.ts';
import { type Amending, fieldOf } from '../amendment/amending.ts';
import { addDays, isCalendarDate, isDateOutOfRange } from '../calendar.ts';
import { identifierRule, isIdentifier } from '../identifiers.ts';
import type { Submission, SubmittedVehicle } from '../registration/submission.ts';
import type { Facts } from './facts.ts';
import { checkLimits } from './limits.ts';

/** The issuance date may lie this many days in the future (api.md, "Validation levels"). */
const ISSUANCE_DAYS_AHEAD = 1;
/** One @, no spaces, and a domain of two labels or more. The pattern takes linear time. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** Characters that a policy or certificate number must not have, because two different numbers could look the same. */
const LOOK_ALIKE = /[^\x20-\x7eÑñ]| {2}/u;

/** `fields` names the field of the finding, and optionally another field that may be the cause. */
type Check =
  | readonly [code: FindingCode, fields: string | readonly [string, string], message: string]
  | undefined;

/** Level 2 of "Validation levels". Level 1 reports absent values. Messages never repeat personal data. */
export function checkFormat(
  submission: Submission,
  facts: Pick<Facts, 'today' | 'ruleSet'>,
  amending?: Amending,
): Finding[] {
  const checks: Check[] = [
    ...policyChecks(submission, facts),
    ...certificateChecks(submission),
    ...operatorChecks(submission),
    ...vehicleChecks(submission, facts, amending),
  ];
  return [...checkLimits(submission, facts, amending), ...findingsOf(checks, amending)];
}

/** Level 2 for the two numbers of a new certificate. An amendment cannot change them (D14). */
export function checkNumbers({ policy, certificate }: Submission): Finding[] {
  return findingsOf([
    numberCheck('policy.policyNumber', policy.policyNumber),
    numberCheck('certificate.cocNumber', certificate.cocNumber),
  ]);
}

function findingsOf(checks: readonly Check[], amending?: Amending): Finding[] {
  return checks.flatMap((check) => {
    if (check === undefined) return [];
    const [code, fields, message] = check;
    const [field, ...others] = typeof fields === 'string' ? [fields] : fields;
    return makeFinding(code, fieldOf(amending, field, ...others), message);
  });
}

function policyChecks({ policy }: Submission, { today }: Pick<Facts, 'today'>): Check[] {
  const { issuanceDate, premiumAmount } = policy;
  const latest = addDays(today, ISSUANCE_DAYS_AHEAD);
  return [
    dateCheck('policy.issuanceDate', issuanceDate),
    issuanceDate !== null && isCalendarDate(issuanceDate) && issuanceDate > latest
      ? ['INVALID_DATE_RANGE', 'policy.issuanceDate', `Must not be later than ${latest}.`]
      : undefined,
    rangeCheck('policy', 'premiumAmount', premiumAmount, 0, PREMIUM_MAX),
  ];
}

function certificateChecks({ certificate }: Submission): Check[] {
  const { effectiveDate, expirationDate } = certificate;
  const checks = [
    dateCheck('certificate.effectiveDate', effectiveDate),
    dateCheck('certificate.expirationDate', expirationDate),
  ];
  if (effectiveDate === null || expirationDate === null) return checks;
  if (!isCalendarDate(effectiveDate) || !isCalendarDate(expirationDate)) return checks;
  return [
    ...checks,
    expirationDate <= effectiveDate
      ? [
          'INVALID_DATE_RANGE',
          ['certificate.expirationDate', 'certificate.effectiveDate'],
          `The expirationDate ${expirationDate} must be after the effectiveDate ${effectiveDate}.`,
        ]
      : undefined,
  ];
}

function operatorChecks({ operator }: Submission): Check[] {
  return [
    enumCheck('operator', 'operatorType', operator.operatorType, OPERATOR_TYPES),
    enumCheck('operator', 'region', operator.region, REGIONS),
    operator.contactEmail !== null && !EMAIL.test(operator.contactEmail)
      ? ['INVALID_FORMAT', 'operator.contactEmail', 'Must be an e-mail address.']
      : undefined,
  ];
}

function vehicleChecks(
  { vehicles }: Submission,
  { today }: Pick<Facts, 'today'>,
  amending: Amending | undefined,
): Check[] {
  const thisYear = Number(today.slice(0, 4));
  return [
    ...failedOf(vehicles, thisYear),
    ...IDENTIFIER_KINDS.flatMap((kind) => duplicatesOf(vehicles, kind, amending)),
  ];
}

/** Collects only failed checks, because a certificate may have hundreds of vehicles and most of them pass. */
function failedOf(vehicles: readonly SubmittedVehicle[], thisYear: number): Check[] {
  const failed: Check[] = [];
  for (const [at, vehicle] of vehicles.entries()) {
    const { vehicleType, denomination, region, passengerCapacity, yearModel } = vehicle;
    for (const kind of IDENTIFIER_KINDS)
      addIfFailed(failed, identifierCheck(at, kind, vehicle[kind]));
    addIfFailed(failed, enumCheck(at, 'vehicleType', vehicleType, VEHICLE_TYPES));
    addIfFailed(failed, enumCheck(at, 'denomination', denomination, DENOMINATIONS));
    addIfFailed(failed, enumCheck(at, 'region', region, REGIONS));
    addIfFailed(
      failed,
      rangeCheck(at, 'passengerCapacity', passengerCapacity, 1, PASSENGER_CAPACITY_MAX),
    );
    addIfFailed(failed, yearCheck(at, yearModel, thisYear));
  }
  return failed;
}

function addIfFailed(failed: Check[], check: Check): void {
  if (check !== undefined) failed.push(check);
}

/** The part of a submission that a member belongs to: its name, or the position of a vehicle. */
type Part = string | number;

function pathOf(part: Part, name: string): string {
  return typeof part === 'number' ? `vehicles[${part}].${name}` : `${part}.${name}`;
}

function identifierCheck(at: Part, kind: IdentifierKind, value: string | null): Check {
  return value === null || isIdentifier(kind, value)
    ? undefined
    : ['INVALID_FORMAT', pathOf(at, kind), `Must be ${identifierRule(kind)}.`];
}

function yearCheck(at: Part, yearModel: number | null, thisYear: number): Check {
  const failed = rangeCheck(at, 'yearModel', yearModel, YEAR_MODEL_MIN, YEAR_MODEL_MAX);
  if (failed !== undefined || yearModel === null || yearModel <= thisYear) return failed;
  return ['INVALID_FORMAT', pathOf(at, 'yearModel'), `Must not be later than ${thisYear}.`];
}

function duplicatesOf(
  vehicles: readonly SubmittedVehicle[],
  kind: IdentifierKind,
  amending: Amending | undefined,
): Check[] {
  if (!hasDuplicate(vehicles, kind)) return [];
  const firstAt = new Map<string, number>();
  const failed: Check[] = [];
  for (const [index, { [kind]: value }] of vehicles.entries()) {
    if (value === null) continue;
    const first = firstAt.get(value);
    if (first === undefined) {
      firstAt.set(value, index);
    } else {
      failed.push(duplicateCheck(kind, first, index, amending));
    }
  }
  return failed;
}

/** If only one of the two vehicles was sent and the record already has the other, the finding names the sent one. */
function duplicateCheck(
  kind: IdentifierKind,
  first: number,
  index: number,
  amending: Amending | undefined,
): Check {
  const code = 'DUPLICATE_IDENTIFIER_IN_PAYLOAD';
  const [earlier, later] = [pathOf(first, kind), pathOf(index, kind)];
  if (amending === undefined) return [code, later, `Already given at ${earlier}.`];
  const [sentEarlier, sentLater] = [amending.findSentPath(earlier), amending.findSentPath(later)];
  return sentEarlier !== undefined && sentLater !== undefined
    ? [code, later, `Already given at ${sentEarlier}.`]
    : [code, [later, earlier], `Another vehicle of the record has this ${kind}.`];
}

/** A cheap check first, because most certificates have no duplicates. */
function hasDuplicate(vehicles: readonly SubmittedVehicle[], kind: IdentifierKind): boolean {
  const values = new Set<string>();
  let present = 0;
  for (const { [kind]: value } of vehicles) {
    if (value === null) continue;
    values.add(value);
    present += 1;
  }
  return values.size < present;
}

function numberCheck(field: string, value: string | null): Check {
  const found = LOOK_ALIKE.exec(value ?? '')?.[0];
  if (found === undefined) return undefined;
  const codePoint = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const what = found.length > 1 && found.startsWith(' ') ? 'two spaces in a row' : `U+${codePoint}`;
  return [
    'INVALID_FORMAT',
    field,
    `Must not have ${what}: letters without accents, Ñ, digits, ASCII punctuation and single spaces are allowed.`,
  ];
}

function dateCheck(field: string, value: string | null): Check {
  if (value === null || isCalendarDate(value)) return undefined;
  return isDateOutOfRange(value)
    ? ['INVALID_DATE_RANGE', field, OUT_OF_RANGE.error]
    : ['INVALID_FORMAT', field, 'Must be a calendar date, YYYY-MM-DD.'];
}

function enumCheck(
  at: Part,
  name: string,
  value: string | null,
  allowed: readonly string[],
): Check {
  return value === null || allowed.includes(value)
    ? undefined
    : ['INVALID_FORMAT', pathOf(at, name), `Must be one of ${allowed.join(', ')}.`];
}

function rangeCheck(at: Part, name: string, value: number | null, min: number, max: number): Check {
  return value === null || (value >= min && value <= max)
    ? undefined
    : ['INVALID_FORMAT', pathOf(at, name), `Must be between ${min} and ${max}.`];
}
