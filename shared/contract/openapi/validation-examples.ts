import { makeFinding } from '../findings.ts';
import { DISCLAIMER } from '../machine/acknowledgment.ts';
import type { ValidationResult } from '../machine/transmissions/validation.ts';
import type { NamedExamples } from './body-examples.ts';

const ACCEPTED: ValidationResult = {
  outcome: 'ACCEPTED',
  errorCode: null,
  errors: [],
  warnings: [makeFinding('REFERENCE_MATCHED', 'vehicles[0]', 'All four identifiers match.')],
  flags: [],
  referenceMatches: [{ plateNumber: 'NCR1001', result: 'MATCHED' }],
  ruleSetId: '0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b',
  evaluatedAt: '2026-10-01T02:03:04.567Z',
  disclaimer: DISCLAIMER,
};

const REJECTED: ValidationResult = {
  ...ACCEPTED,
  outcome: 'REJECTED',
  errorCode: 'VEHICLE_ALREADY_INSURED',
  errors: [
    makeFinding(
      'VEHICLE_ALREADY_INSURED',
      'vehicles[0].plateNumber',
      'Already covered by Bravo Insurance until 2027-03-31. Matched by plateNumber NCR1001.',
    ),
  ],
};

export const VALIDATION_EXAMPLES: NamedExamples = { accepted: ACCEPTED, rejected: REJECTED };
