import { type Finding, makeFinding } from '../../contract/findings.ts';
import type { Submission } from '../submission.ts';

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

/** Level 1 of "Validation levels": what api.md marks as required by validation, and one vehicle. */
export function checkRequired(submission: Submission): Finding[] {
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
  return missing.map((field) => makeFinding('REQUIRED', field, messageFor(field)));
}

function messageFor(field: string): string {
  return field === 'vehicles' ? 'At least one vehicle is required.' : `${field} is required.`;
}
