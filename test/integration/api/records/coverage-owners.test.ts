import type { CoverageResult } from '../../../../shared/contract/machine/coverage.ts';
import type { VehicleBody } from '../../../../shared/contract/machine/transmission.ts';
import { makePlainVehicle } from '../../../env/api/bodies.ts';
import {
  type RecordWorld,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

// A coverage check by an identifier that several vehicles have had (D10, D27). Today is 15 October 2026.

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

async function check(identifier: string | null | undefined, asOf?: string, client = 'alpha') {
  const query = asOf === undefined ? '' : `?asOf=${asOf}`;
  const { status, envelope } = await world.get(
    client,
    `/ppai/vehicles/${identifier}/coverage${query}`,
  );
  expect(status).toBe(200);
  return envelope.data as unknown as CoverageResult;
}

const PAST = { effectiveDate: '2026-01-01', expirationDate: '2026-03-31' };
const NOW = { effectiveDate: '2026-10-01', expirationDate: '2027-09-30' };
const LATER = { effectiveDate: '2027-10-01', expirationDate: '2028-09-30' };

const register = (client: 'alpha' | 'bravo', vehicles: VehicleBody[], certificate = NOW) =>
  world.register(
    client,
    recordBody({ issuingInsurerCode: `INS-${client.toUpperCase()}`, vehicles, certificate }),
  );

describe('a coverage check by an identifier of several vehicles', () => {
  it('finds the vehicle in force even if another one has the identifier as a more specific kind', async () => {
    const covered = makePlainVehicle({ plateNumber: 'MANY101' });
    const other = makePlainVehicle({ engineNumber: 'MANY101' });
    const { registryReference } = await register('alpha', [covered]);
    const cancelled = await register('bravo', [other]);
    // While both are in force, the more specific kind decides.
    expect(await check('MANY101')).toMatchObject({
      matchedBy: 'engineNumber',
      vehicle: { chassisNumber: other.chassisNumber },
      coverage: { insurerCode: 'INS-BRAVO' },
    });
    await world.cancel('bravo', cancelled, '2026-10-15');
    expect(await check('MANY101')).toMatchObject({
      covered: true,
      matchedBy: 'plateNumber',
      vehicle: { chassisNumber: covered.chassisNumber },
      coverage: { insurerCode: 'INS-ALPHA', registryReference },
      next: null,
    });
    expect(await check('MANY101', undefined, 'bravo')).toMatchObject({
      coverage: { insurerCode: 'INS-ALPHA', registryReference: null },
    });
  });

  it('finds the vehicle that is in force under the former plate of another, or else the one registered last', async () => {
    const [first, second] = [makePlainVehicle({ plateNumber: 'MANY201' }), makePlainVehicle()];
    await register('alpha', [first], PAST);
    await register('alpha', [second], PAST);
    const made = await register('bravo', [{ ...second, plateNumber: 'MANY201' }]);
    const isSecond = { matchedBy: 'plateNumber', vehicle: { chassisNumber: second.chassisNumber } };
    expect(await check('MANY201')).toMatchObject({
      ...isSecond,
      covered: true,
      coverage: { insurerCode: 'INS-BRAVO' },
    });
    // If neither is in force, the check finds the one registered last; on a day of the other's cover, the other.
    await world.cancel('bravo', made, '2026-10-01');
    expect(await check('MANY201')).toMatchObject({ ...isSecond, covered: false, coverage: null });
    await register('alpha', [{ ...first, engineNumber: 'MANY202' }], {
      effectiveDate: '2026-04-01',
      expirationDate: '2026-06-30',
    });
    expect(await check('MANY201', '2026-05-01')).toMatchObject({
      covered: true,
      vehicle: { chassisNumber: first.chassisNumber },
    });
    expect(await check('MANY201')).toMatchObject({
      covered: false,
      vehicle: { chassisNumber: first.chassisNumber },
    });
  });

  it('finds the vehicle that is still in force after its plate went to another one that is not', async () => {
    const [first, second] = [makePlainVehicle({ plateNumber: 'MANY301' }), makePlainVehicle()];
    await register('alpha', [second], PAST);
    const made = await register('alpha', [first]);
    await world.amend('alpha', made.registryReference, {
      vehicles: {
        update: [{ match: { plateNumber: 'MANY301' }, set: { plateNumber: 'MANY302' } }],
      },
    });
    await register('bravo', [{ ...second, plateNumber: 'MANY301' }], PAST_OF_SECOND);
    for (const plate of ['MANY301', 'MANY302']) {
      expect(await check(plate)).toMatchObject({
        covered: true,
        vehicle: { plateNumber: 'MANY302' },
        coverage: { insurerCode: 'INS-ALPHA' },
      });
    }
    expect(await check('MANY301', '2026-04-15')).toMatchObject({
      covered: true,
      vehicle: { chassisNumber: second.chassisNumber },
    });
  });

  it('finds the vehicle registered last if two in force have the identifier as the same kind', async () => {
    const [first, second] = [makePlainVehicle(), makePlainVehicle({ plateNumber: 'MANY401' })];
    await register('alpha', [first]);
    await register('bravo', [second]);
    // A later certificate gives the first one the plate. Its current certificate does not reserve that plate.
    await register('alpha', [{ ...first, plateNumber: 'MANY401' }], LATER);
    expect(await check('MANY401')).toMatchObject({
      covered: true,
      vehicle: { chassisNumber: second.chassisNumber },
      coverage: { insurerCode: 'INS-BRAVO' },
      // `next` is about the same vehicle, although the first one is covered under this plate later.
      next: null,
    });
    expect(await check('MANY401', '2027-10-01')).toMatchObject({
      covered: true,
      vehicle: { chassisNumber: first.chassisNumber },
      coverage: { insurerCode: 'INS-ALPHA', ...LATER },
    });
    expect(await check(first.chassisNumber)).toMatchObject({ coverage: NOW, next: LATER });
  });

  it('prefers the more specific kind if no vehicle is in force, and shows the next cover of that vehicle', async () => {
    const byPlate = makePlainVehicle({ plateNumber: 'MANY501' });
    const byChassis = makePlainVehicle({ chassisNumber: 'MANY501' });
    await register('alpha', [byChassis], LATER);
    await register('alpha', [byPlate], PAST);
    expect(await check('MANY501')).toMatchObject({
      matchedBy: 'chassisNumber',
      vehicle: { plateNumber: byChassis.plateNumber },
      covered: false,
      coverage: null,
      next: { ...LATER, coverageStatus: 'UPCOMING' },
    });
    expect(await check('MANY501', '2026-02-01')).toMatchObject({
      matchedBy: 'plateNumber',
      vehicle: { plateNumber: 'MANY501' },
      covered: true,
      coverage: PAST,
      next: null,
    });
  });

  it('matches the more specific kind if one vehicle has the identifier as two kinds', async () => {
    await register('alpha', [
      makePlainVehicle({ plateNumber: 'MANY601', engineNumber: 'MANY601' }),
    ]);
    expect(await check('MANY601')).toMatchObject({ matchedBy: 'engineNumber', covered: true });
  });
});

const PAST_OF_SECOND = { effectiveDate: '2026-04-01', expirationDate: '2026-06-30' };
