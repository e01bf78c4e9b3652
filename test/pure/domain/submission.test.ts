import {
  platesOf,
  readSubmission,
  vehicleSignature,
} from '../../../shared/domain/registration/submission.ts';
import { makeBody, makeVehicle } from '../../env/api/bodies.ts';

describe('a submission', () => {
  it('has identifiers in normal form and in the sent spelling (D7)', () => {
    const sent = {
      plateNumber: 'abc 12-34',
      mvFileNumber: '1301-0001',
      engineNumber: '4jb1.889',
      chassisNumber: 'mhk/001',
    };
    const [vehicle] = readSubmission(makeBody({ vehicles: [makeVehicle(sent)] })).vehicles;
    expect(vehicle).toMatchObject({
      plateNumber: 'ABC1234',
      mvFileNumber: '13010001',
      engineNumber: '4JB1889',
      chassisNumber: 'MHK001',
      transmitted: sent,
    });
  });

  it('has normalized texts and null for absent members (D7)', () => {
    const submission = readSubmission(
      makeBody({
        issuingInsurerCode: ' INS-ALPHA ',
        poolCode: '',
        policy: { policyNumber: '\uFF30-1', remarks: '   ' },
        operator: { name: ' Pen\u0303a ', businessName: '' },
      }),
    );
    expect(submission).toMatchObject({
      issuingInsurerCode: 'INS-ALPHA',
      poolCode: null,
      policy: { policyNumber: 'P-1', remarks: null, officialReceiptNumber: null },
      certificate: { insurerVerificationReference: null },
      operator: { name: 'Pe\u00F1a', businessName: null, caseNumber: null },
    });
  });

  it('lists the plates of its vehicles in order, without absent ones', () => {
    const vehicles = [
      makeVehicle({ plateNumber: 'b 2' }),
      makeVehicle({ plateNumber: null }),
      makeVehicle({ plateNumber: 'a 1' }),
    ];
    expect(platesOf(readSubmission(makeBody({ vehicles })))).toEqual(['B2', 'A1']);
  });

  it('compares vehicles by their four normalized identifiers', () => {
    const one = makeVehicle({ plateNumber: 'abc 123', make: 'Isuzu' });
    const [left, right, other] = readSubmission(
      makeBody({
        vehicles: [one, { ...one, plateNumber: 'ABC-123', make: 'Hino' }, makeVehicle()],
      }),
    ).vehicles.map(vehicleSignature);
    expect(left).toBe(right);
    expect(left).not.toBe(other);
  });
});
