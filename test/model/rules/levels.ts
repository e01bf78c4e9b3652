import {
  DENOMINATIONS,
  IDENTIFIER_KINDS,
  OPERATOR_TYPES,
  REGIONS,
  VEHICLE_TYPES,
} from '../../../shared/contract/enums.ts';
import { daysFrom, isDate, plusDays } from '../calendar.ts';
import { INSURERS, isMemberOn, mayTransmit, POOL } from './organizations.ts';
import type { ModelVehicle, Submission } from './state.ts';

// "Validation levels" of api.md, each as `code field`.

const MAX_COVERAGE_DAYS = 400;
const COVERAGE_TYPES = ['PPAI_STANDARD'];
/** The region with reference data, which does not contain the vehicles here. */
const REGION_WITH_DATA = 'NCR';

const LENGTHS = {
  plateNumber: [2, 10],
  mvFileNumber: [4, 20],
  engineNumber: [4, 25],
  chassisNumber: [4, 25],
} as const;

export function requiredFindings(submission: Submission): string[] {
  const { policy, operator, vehicles } = submission;
  const fields: [string, unknown][] = [
    ['issuingInsurerCode', submission.insurer],
    ['policy.policyNumber', submission.policyNumber],
    ['policy.issuanceDate', policy.issuanceDate],
    ['policy.coverageType', policy.coverageType],
    ['certificate.cocNumber', submission.cocNumber],
    ['certificate.effectiveDate', submission.effectiveDate],
    ['certificate.expirationDate', submission.expirationDate],
    ['operator.name', operator['name']],
    ['operator.operatorType', operator['operatorType']],
    ['operator.region', operator['region']],
    ['vehicles', vehicles[0]],
  ];
  vehicles.forEach((vehicle, index) => {
    const { vehicleType, denomination, passengerCapacity, region } = vehicle;
    const members = { ...vehicle.ids, vehicleType, denomination, passengerCapacity, region };
    for (const [name, value] of Object.entries(members))
      fields.push([`vehicles[${index}].${name}`, value]);
  });
  return fields.flatMap(([field, value]) => ((value ?? null) === null ? `REQUIRED ${field}` : []));
}

export function formatFindings(submission: Submission, today: string): string[] {
  const { policy, operator, vehicles } = submission;
  return [
    ...policyFindings(submission, today),
    ...periodFindings(submission),
    ...oneOf('operator.operatorType', operator['operatorType'] ?? null, OPERATOR_TYPES),
    ...oneOf('operator.region', operator['region'] ?? null, REGIONS),
    ...range('policy.premiumAmount', policy.premiumAmount, 0, 1_000_000_000),
    ...(operator['contactEmail'] === 'nobody' ? ['INVALID_FORMAT operator.contactEmail'] : []),
    ...vehicles.flatMap((vehicle, index) => vehicleFindings(vehicle, `vehicles[${index}]`, today)),
    ...vehicles.flatMap((vehicle, index) =>
      IDENTIFIER_KINDS.filter((kind) =>
        vehicles
          .slice(0, index)
          .some(({ ids }) => ids[kind] !== null && ids[kind] === vehicle.ids[kind]),
      ).map((kind) => `DUPLICATE_IDENTIFIER_IN_PAYLOAD vehicles[${index}].${kind}`),
    ),
  ];
}

function policyFindings({ policy }: Submission, today: string): string[] {
  const { issuanceDate, coverageType } = policy;
  return [
    ...date('policy.issuanceDate', issuanceDate),
    ...(issuanceDate !== null && isTaken(issuanceDate) && issuanceDate > plusDays(today, 1)
      ? ['INVALID_DATE_RANGE policy.issuanceDate']
      : []),
    ...(coverageType !== null && !COVERAGE_TYPES.includes(coverageType)
      ? ['UNSUPPORTED_COVERAGE_TYPE policy.coverageType']
      : []),
  ];
}

function periodFindings({ effectiveDate, expirationDate }: Submission): string[] {
  const findings = [
    ...date('certificate.effectiveDate', effectiveDate),
    ...date('certificate.expirationDate', expirationDate),
  ];
  if (effectiveDate === null || expirationDate === null) return findings;
  if (!isTaken(effectiveDate) || !isTaken(expirationDate)) return findings;
  const days = daysFrom(effectiveDate, expirationDate);
  if (days <= 0) findings.push('INVALID_DATE_RANGE certificate.expirationDate');
  if (days > MAX_COVERAGE_DAYS) findings.push('COVERAGE_TOO_LONG certificate.expirationDate');
  return findings;
}

function vehicleFindings(vehicle: ModelVehicle, at: string, today: string): string[] {
  const year = vehicle.yearModel;
  return [
    ...IDENTIFIER_KINDS.flatMap((kind) => {
      const value = vehicle.ids[kind];
      const [min, max] = LENGTHS[kind];
      const isWell =
        value === null ||
        (/^[A-Z0-9]*\d[A-Z0-9]*$/.test(value) && value.length >= min && value.length <= max);
      return isWell ? [] : `INVALID_FORMAT ${at}.${kind}`;
    }),
    ...oneOf(`${at}.vehicleType`, vehicle.vehicleType, VEHICLE_TYPES),
    ...oneOf(`${at}.denomination`, vehicle.denomination, DENOMINATIONS),
    ...oneOf(`${at}.region`, vehicle.region, REGIONS),
    ...range(`${at}.passengerCapacity`, vehicle.passengerCapacity, 1, 100),
    ...range(`${at}.yearModel`, year, 1950, Number(today.slice(0, 4))),
  ];
}

function date(field: string, value: string | null): string[] {
  if (value === null || isTaken(value)) return [];
  return [`${isDate(value) ? 'INVALID_DATE_RANGE' : 'INVALID_FORMAT'} ${field}`];
}

/** A date of the years 1900 to 2999. */
function isTaken(text: string): boolean {
  return isDate(text) && /^(19|2\d)/.test(text);
}

function oneOf(field: string, value: string | null, allowed: readonly string[]): string[] {
  return value === null || allowed.includes(value) ? [] : [`INVALID_FORMAT ${field}`];
}

function range(field: string, value: number | null, min: number, max: number): string[] {
  return value === null || (value >= min && value <= max) ? [] : [`INVALID_FORMAT ${field}`];
}

/**
 * Level 3 except conflicts with other records. Level 1 reports absent values. `held` is the issuance date of the policy if it is
 * registered: it decides about authority (D28), and about the pool where there is authority.
 */
export function authorityFindings(
  { insurer, pool, policy: { issuanceDate: sent } }: Submission,
  organization: string,
  held: string | null = null,
): string[] {
  if (insurer === null) return [];
  const known = INSURERS[insurer];
  const dated = (date: string | null) => (date !== null && isTaken(date) ? date : null);
  const isAuthorized = mayTransmit(organization, insurer, dated(held ?? sent) ?? '');
  const on = dated(isAuthorized ? (held ?? sent) : sent);
  const isMember = on === null || (pool === POOL && isMemberOn(insurer, on));
  return [
    ...(known === undefined ? ['UNKNOWN_INSURER issuingInsurerCode'] : []),
    ...(known?.active === false ? ['INSURER_NOT_ACTIVE issuingInsurerCode'] : []),
    ...(known === undefined || isAuthorized
      ? []
      : ['NOT_AUTHORIZED_TO_TRANSMIT issuingInsurerCode']),
    ...(pool === null || isMember ? [] : ['POOL_MEMBERSHIP_NOT_FOUND poolCode']),
  ];
}

export interface ReferenceOutcome {
  readonly warning: string;
  readonly result: 'NO_MATCH' | 'FOR_REVIEW';
  readonly isFlagged: boolean;
}

/** Level 4 (D21) for vehicles that are not in the reference data. */
export function referenceOutcome({ region }: ModelVehicle, index: number): ReferenceOutcome {
  return region === REGION_WITH_DATA
    ? { warning: `REFERENCE_NO_MATCH vehicles[${index}]`, result: 'NO_MATCH', isFlagged: true }
    : {
        warning: `REFERENCE_DATA_UNAVAILABLE vehicles[${index}]`,
        result: 'FOR_REVIEW',
        isFlagged: false,
      };
}
