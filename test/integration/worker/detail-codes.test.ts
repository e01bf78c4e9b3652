import { FINDING_CODES, type FindingCode } from '../../../shared/contract/findings.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import {
  type BodyChanges,
  makeBody,
  makePlainVehicle,
  makeReferenceVehicle,
  makeVehicle,
  today,
} from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const DAY = today();
const twin = makePlainVehicle();

/** Detail code, field, and the changes that cause it. Conflicts and scopes have their own tests. */
const CASES: [FindingCode, string, BodyChanges][] = [
  ['REQUIRED', 'policy.policyNumber', { policy: { policyNumber: ' ' } }],
  ['REQUIRED', 'vehicles', { vehicles: [] }],
  ['REQUIRED', 'vehicles[0].engineNumber', { vehicles: [makePlainVehicle({ engineNumber: '-' })] }],
  ['INVALID_FORMAT', 'policy.issuanceDate', { policy: { issuanceDate: '2026-02-30' } }],
  ['INVALID_FORMAT', 'operator.operatorType', { operator: { operatorType: 'PERSON' } }],
  ['INVALID_FORMAT', 'operator.contactEmail', { operator: { contactEmail: 'nobody' } }],
  ['INVALID_FORMAT', 'vehicles[0].region', { vehicles: [makePlainVehicle({ region: 'XIV' })] }],
  [
    'INVALID_FORMAT',
    'vehicles[0].yearModel',
    { vehicles: [makePlainVehicle({ yearModel: 2099 })] },
  ],
  ['INVALID_DATE_RANGE', 'policy.issuanceDate', { policy: { issuanceDate: addDays(DAY, 2) } }],
  ['INVALID_DATE_RANGE', 'certificate.expirationDate', { certificate: { expirationDate: DAY } }],
  [
    'COVERAGE_TOO_LONG',
    'certificate.expirationDate',
    { certificate: { expirationDate: addDays(DAY, 401) } },
  ],
  ['UNSUPPORTED_COVERAGE_TYPE', 'policy.coverageType', { policy: { coverageType: 'PPAI_GOLD' } }],
  [
    'DUPLICATE_IDENTIFIER_IN_PAYLOAD',
    'vehicles[1].plateNumber',
    { vehicles: [twin, makePlainVehicle({ plateNumber: `${twin.plateNumber}-` })] },
  ],
  ['UNKNOWN_INSURER', 'issuingInsurerCode', { issuingInsurerCode: 'INS-NOBODY' }],
  ['INSURER_NOT_ACTIVE', 'issuingInsurerCode', { issuingInsurerCode: 'INS-DORMANT' }],
  ['NOT_AUTHORIZED_TO_TRANSMIT', 'issuingInsurerCode', { issuingInsurerCode: 'INS-CHARLIE' }],
  ['POOL_MEMBERSHIP_NOT_FOUND', 'poolCode', { poolCode: 'POOL-SOUTH' }],
  ['REFERENCE_MATCHED', 'vehicles[0]', { vehicles: [makeReferenceVehicle(31)] }],
  [
    'REFERENCE_PARTIAL_MATCH',
    'vehicles[0]',
    { vehicles: [makeReferenceVehicle(32, { mvFileNumber: '77770032' })] },
  ],
  [
    'REFERENCE_FOR_REVIEW',
    'vehicles[0]',
    { vehicles: [makeReferenceVehicle(33, { chassisNumber: 'CHS1034NCR' })] },
  ],
  ['REFERENCE_NO_MATCH', 'vehicles[0]', { vehicles: [makeVehicle()] }],
  ['REFERENCE_DATA_UNAVAILABLE', 'vehicles[0]', { vehicles: [makePlainVehicle()] }],
];

describe('a finding reaches the caller with its level, severity and field', () => {
  it.each(CASES)('%s at %s', async (code, field, changes) => {
    const body = makeBody(changes);
    const { status, errorCode, findings, acknowledgment } = await stack.transmit('alpha', body);
    expect(findings).toContainEqual({
      level: FINDING_CODES[code].level,
      severity: FINDING_CODES[code].severity,
      code,
      field,
      message: expect.stringMatching(/\S/),
    });
    const rejects = FINDING_CODES[code].severity === 'ERROR';
    expect([status, errorCode]).toEqual(rejects ? [422, 'VALIDATION_FAILED'] : [201, undefined]);
    expect(
      (rejects ? acknowledgment.errors : acknowledgment.warnings).map((one) => one.code),
    ).toContain(code);
    // A body that passes the schema is recorded even if it is REJECTED (D6).
    const lookedUp = await stack.get('alpha', `/ppai/transmissions/${body.externalTransactionId}`);
    expect(lookedUp.envelope.data).toEqual(acknowledgment);
  });
});
