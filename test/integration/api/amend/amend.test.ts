import { addDays } from '../../../../shared/domain/calendar.ts';
import {
  makeBody,
  makePlainVehicle,
  makeVehicle,
  today,
  uniqueNumber,
} from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { acknowledgmentOf, codesOf, makeAmending } from './amending.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const { register, amend } = makeAmending(() => stack);

describe('an amendment', () => {
  it('creates the next version, and is answered with 200 and an acknowledgment of kind AMEND', async () => {
    const { reference, body } = await register();
    const answer = await amend(reference, { policy: { remarks: 'Paid in full' } });
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer)).toMatchObject({
      kind: 'AMEND',
      status: 'ACCEPTED',
      version: 2,
      registryReference: reference,
      coverageStatus: 'ACTIVE',
      policyNumber: body.policy.policyNumber,
      certificateOfCover: body.certificate.cocNumber,
    });
    const again = await amend(reference, { operator: { contactPhone: null } });
    expect(acknowledgmentOf(again).version).toBe(3);
  });

  it('is answered with the first acknowledgment when repeated, and changes nothing', async () => {
    const { reference } = await register();
    const externalTransactionId = uniqueNumber('AMD');
    const changes = { policy: { remarks: 'Once' } };
    const first = await amend(reference, changes, { externalTransactionId });
    const second = await amend(reference, changes, { externalTransactionId });
    expect(second.status).toBe(200);
    expect(second.envelope.data).toEqual({ ...first.envelope.data, replayed: true });
    const next = await amend(reference, { policy: { remarks: 'Twice' } });
    expect(acknowledgmentOf(next).version).toBe(3);
  });

  it.each([
    ['the issuing insurer', { issuingInsurerCode: 'INS-BRAVO' }, 'changes.issuingInsurerCode'],
    ['the policy number', { policy: { policyNumber: 'OTHER' } }, 'changes.policy.policyNumber'],
    [
      'the certificate number',
      { certificate: { cocNumber: 'OTHER' } },
      'changes.certificate.cocNumber',
    ],
    [
      'the certificate number to null',
      { certificate: { cocNumber: null } },
      'changes.certificate.cocNumber',
    ],
  ])('that changes %s is refused as IMMUTABLE_FIELD', async (_what, changes, field) => {
    const { reference } = await register();
    const answer = await amend(reference, changes);
    expect(answer.status).toBe(422);
    expect(answer.envelope.error?.code).toBe('IMMUTABLE_FIELD');
    expect(codesOf(answer)).toContainEqual(['IMMUTABLE_FIELD', field]);
  });

  it('may repeat immutable fields with their current values', async () => {
    const { reference, body } = await register();
    const answer = await amend(reference, {
      issuingInsurerCode: 'INS-ALPHA',
      policy: { policyNumber: body.policy.policyNumber, remarks: 'Corrected' },
    });
    expect(answer.status).toBe(200);
  });

  it('without any change is refused with NO_CHANGES', async () => {
    const { reference, body } = await register();
    for (const changes of [{}, { policy: { coverageType: body.policy.coverageType } }]) {
      const answer = await amend(reference, changes);
      expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
      expect(codesOf(answer)).toEqual([['NO_CHANGES', 'changes']]);
    }
  });

  it('is a CONFLICT if the record does not have the expected version', async () => {
    const { reference } = await register();
    const answer = await amend(reference, { policy: { remarks: 'x' } }, { expectedVersion: 2 });
    expect(answer.status).toBe(409);
    expect(answer.envelope.error?.code).toBe('CONFLICT');
    const right = await amend(reference, { policy: { remarks: 'x' } }, { expectedVersion: 1 });
    expect(right.status).toBe(200);
  });

  it('is refused for each field of a policy that other certificates share', async () => {
    const first = await register();
    await register(makeBody({ policy: { ...first.body.policy } }));
    const answer = await amend(first.reference, {
      poolCode: 'POOL-NORTH',
      policy: { issuanceDate: addDays(today(), -1), premiumAmount: 9, remarks: 'x' },
    });
    expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
    expect(codesOf(answer)).toEqual([
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.poolCode'],
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.policy.issuanceDate'],
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.policy.premiumAmount'],
      ['POLICY_SHARED_BY_OTHER_CERTIFICATES', 'changes.policy.remarks'],
    ]);
    const own = await amend(first.reference, {
      certificate: { insurerVerificationReference: 'V' },
    });
    expect(own.status).toBe(200);
  });

  it('is checked on the same four levels as a new certificate', async () => {
    const { reference, body } = await register();
    const answer = await amend(reference, {
      policy: { coverageType: 'GOLD' },
      certificate: { expirationDate: body.certificate.effectiveDate },
      operator: { name: null, contactEmail: 'nobody' },
      vehicles: { add: [makeVehicle({ chassisNumber: null, plateNumber: '???' })] },
    });
    expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
    expect(codesOf(answer)).toEqual(
      expect.arrayContaining([
        ['REQUIRED', 'changes.operator.name'],
        ['REQUIRED', 'changes.vehicles.add[0].chassisNumber'],
        ['UNSUPPORTED_COVERAGE_TYPE', 'changes.policy.coverageType'],
        ['INVALID_DATE_RANGE', 'changes.certificate.expirationDate'],
        ['INVALID_FORMAT', 'changes.operator.contactEmail'],
        ['INVALID_FORMAT', 'changes.vehicles.add[0].plateNumber'],
      ]),
    );
  });

  it('adds, updates and removes vehicles, and frees removed ones for other certificates at once', async () => {
    const [kept, dropped] = [makePlainVehicle(), makePlainVehicle()];
    const { reference } = await register(makeBody({ vehicles: [kept, dropped] }));
    const added = makePlainVehicle();
    const answer = await amend(reference, {
      vehicles: {
        add: [added],
        remove: [{ chassisNumber: dropped.chassisNumber }],
        update: [{ match: { plateNumber: kept.plateNumber }, set: { plateNumber: 'new 9-1' } }],
      },
    });
    expect(answer.status).toBe(200);
    expect(acknowledgmentOf(answer).plateNumbers).toEqual(['NEW91', added.plateNumber]);
    const elsewhere = await stack.transmit(
      'bravo',
      makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [dropped] }),
    );
    expect(elsewhere.status).toBe(201);
    for (const vehicle of [added, kept, makePlainVehicle({ plateNumber: 'NEW91' })]) {
      const refused = await stack.transmit(
        'bravo',
        makeBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [vehicle] }),
      );
      expect(refused.errorCode).toBe('VEHICLE_ALREADY_INSURED');
    }
  });

  it('is refused with VEHICLE_NOT_ON_RECORD for each vehicle that is not on the record', async () => {
    const { reference, body } = await register();
    const plateNumber = body.vehicles[0]?.plateNumber;
    const answer = await amend(reference, {
      vehicles: {
        remove: [{ plateNumber: 'XX99' }, {}, { plateNumber, engineNumber: 'ENG1' }],
        update: [{ match: { mvFileNumber: '0000' }, set: { make: 'Hino' } }],
      },
    });
    expect(answer.envelope.error?.code).toBe('VALIDATION_FAILED');
    expect(codesOf(answer)).toEqual([
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.update[0].match'],
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.remove[0]'],
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.remove[1]'],
      ['VEHICLE_NOT_ON_RECORD', 'changes.vehicles.remove[2]'],
    ]);
  });
});
