import { keepSnapshot, readSnapshot } from '../../../../shared/domain/amendment/snapshot.ts';
import { makePlainVehicle, makeVehicle } from '../../../env/api/bodies.ts';
import { makeSubmission } from '../facts-and-submissions.ts';

/** Snapshots are stored as JSON. */
const asJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

describe('the snapshot of a version', () => {
  const submission = makeSubmission({
    vehicles: [
      makePlainVehicle(),
      { ...makePlainVehicle(), plateNumber: 'abc 1234', make: null, vin: 'VIN0001', route: 'EDSA' },
      makeVehicle({ chassisNumber: null, mvFileNumber: null }),
      { region: 'NCR' },
    ],
  });

  it('is read with all stored members in their order', () => {
    const read = readSnapshot(asJson(keepSnapshot(submission)));
    expect(read).toEqual(submission);
    expect(JSON.stringify(read)).toBe(JSON.stringify(submission));
  });

  it('of an earlier release, with every member, is read in the same way', () => {
    expect(readSnapshot(asJson(submission))).toEqual(submission);
  });

  it('contains the present members of a vehicle, and the sent spelling where it differs', () => {
    const [plain, renamed] = asJson(keepSnapshot(submission)).vehicles;
    expect(plain).not.toHaveProperty('transmitted');
    expect(plain).not.toHaveProperty('vin');
    expect(renamed).toMatchObject({
      plateNumber: 'ABC1234',
      transmitted: { plateNumber: 'abc 1234' },
      vin: 'VIN0001',
    });
    expect(renamed).not.toHaveProperty('make');
  });
});
