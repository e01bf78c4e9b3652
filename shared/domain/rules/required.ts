import { type Finding, makeFinding } from '../../contract/findings.ts';
import { type Amending, fieldOf } from '../amendment/amending.ts';
import type { Submission } from '../registration/submission.ts';

const VEHICLE_REQUIRED = [
  'plateNumber',
  'mvFileNumber',
  'engineNumber',
  'chassisNumber',
  'vehicleType',
  'denomination',
  'passengerCapacity',
  'region',
] as const;

/** Level 1 of "Validation levels": the fields that api.md requires, and at least one vehicle. */
export function checkRequired(submission: Submission, amending?: Amending): Finding[] {
  const { policy, certificate, operator, vehicles } = submission;
  const fields: [string, unknown][] = [
    ['issuingInsurerCode', submission.issuingInsurerCode],
    ['policy.policyNumber', policy.policyNumber],
    ['policy.issuanceDate', policy.issuanceDate],
    ['policy.coverageType', policy.coverageType],
    ['certificate.cocNumber', certificate.cocNumber],
    ['certificate.effectiveDate', certificate.effectiveDate],
    ['certificate.expirationDate', certificate.expirationDate],
    ['operator.name', operator.name],
    ['operator.operatorType', operator.operatorType],
    ['operator.region', operator.region],
    ['vehicles', vehicles.length === 0 ? null : vehicles],
  ];
  const missing = fields.flatMap(([field, value]) => (value === null ? field : []));
  for (const [index, vehicle] of vehicles.entries()) {
    for (const name of VEHICLE_REQUIRED) {
      if (vehicle[name] === null) missing.push(`vehicles[${index}].${name}`);
    }
  }
  return missing.map((path) => {
    const field = fieldOf(amending, path);
    return makeFinding('REQUIRED', field, messageFor(field, path, amending !== undefined));
  });
}

function messageFor(field: string, path: string, isAmended: boolean): string {
  if (path !== 'vehicles') return `${field} is required.`;
  return isAmended
    ? 'A certificate needs at least one vehicle: leave one, or cancel the record instead.'
    : 'At least one vehicle is required.';
}
