import type { CancellationReasonCode } from '../../../../shared/contract/enums.ts';
import type { CoverageResult } from '../../../../shared/contract/machine/coverage.ts';
import { makePlainVehicle, uniqueNumber } from '../../../env/api/bodies.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

// Coverage checks of past days, for certificates that were in force then and are not any more (D27). Each test begins
// on 15 October 2026, 10:00 in Manila; certificates run from 1 October 2026 to 30 September 2027.

const START = new Date('2026-10-15T02:00:00Z');

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld(START);
});
beforeEach(() => world.clock.moveTo(START));
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

/** The coverageStatus on each day, or null on a day without cover. */
async function statuses(identifier: string | null | undefined, days: readonly string[]) {
  const results = await Promise.all(days.map((day) => check(identifier, day)));
  expect(results.map(({ covered }) => covered)).toEqual(
    results.map(({ coverage }) => coverage !== null),
  );
  return results.map(({ coverage }) => coverage?.coverageStatus ?? null);
}

async function cancel({ registryReference, body }: Registered, reasonCode: CancellationReasonCode) {
  const { status } = await world.send('alpha', {
    path: `/ppai/policies/${registryReference}/cancellation`,
    body: {
      externalTransactionId: uniqueNumber('CANCEL'),
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      cancellationEffectiveDate: '2026-10-12',
      reasonCode,
      reasonText: 'Said so',
    },
  });
  expect(status).toBe(200);
}

async function registerWith(vehicle = makePlainVehicle()) {
  const made = await world.register(
    'alpha',
    recordBody({ vehicles: [makePlainVehicle(), vehicle] }),
  );
  const remove = () =>
    world.amend('alpha', made.registryReference, {
      vehicles: { remove: [{ plateNumber: vehicle.plateNumber }] },
    });
  return { made, vehicle, plate: vehicle.plateNumber, remove };
}

const inForceFromSeptember = (vehicle = makePlainVehicle()) =>
  recordBody({
    issuingInsurerCode: 'INS-BRAVO',
    vehicles: [vehicle],
    certificate: { effectiveDate: '2026-09-01', expirationDate: '2026-10-31' },
  });

describe('a certificate that was cancelled later', () => {
  it('covers the days before its cancellation took effect, with the status CANCELLED', async () => {
    const { made, plate } = await registerWith();
    await world.cancel('alpha', made, '2026-10-12');
    expect(
      await statuses(plate, ['2026-09-30', '2026-10-01', '2026-10-11', '2026-10-12', '2026-10-15']),
    ).toEqual([null, 'CANCELLED', 'CANCELLED', null, null]);
    expect(await statuses(plate, ['2026-10-16', '2027-09-30', '2027-10-01'])).toEqual([
      null,
      null,
      null,
    ]);
    expect(await check(plate, '2026-10-11')).toMatchObject({
      covered: true,
      coverage: {
        insurerCode: 'INS-ALPHA',
        effectiveDate: '2026-10-01',
        expirationDate: '2027-09-30',
        registryReference: made.registryReference,
      },
    });
    expect((await check(plate, '2026-10-11', 'charlie')).coverage).toMatchObject({
      coverageStatus: 'CANCELLED',
      registryReference: null,
    });
  });

  it('is never shown as the next cover', async () => {
    const { made, plate } = await registerWith();
    await world.cancel('alpha', made, '2026-10-12');
    expect(await check(plate, '2026-09-15')).toMatchObject({ covered: false, next: null });
  });

  it('covers only days that are over', async () => {
    const { made, plate } = await registerWith();
    await world.cancel('alpha', made, '2026-10-15');
    expect(await statuses(plate, ['2026-10-14', '2026-10-15', '2026-10-16'])).toEqual([
      'CANCELLED',
      null,
      null,
    ]);
    expect(await check(plate)).toMatchObject({ asOf: '2026-10-15', covered: false });
    // Midnight in Manila.
    world.clock.moveTo(new Date('2026-10-15T16:00:00Z'));
    expect(await statuses(plate, ['2026-10-14', '2026-10-15', '2026-10-16'])).toEqual([
      'CANCELLED',
      null,
      null,
    ]);
  });

  it('covers no day if it was issued in error', async () => {
    const { made, plate } = await registerWith();
    await cancel(made, 'ISSUED_IN_ERROR');
    expect(await statuses(plate, ['2026-10-01', '2026-10-11', '2026-10-15'])).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('allows another certificate for those days, which then takes precedence', async () => {
    const { made, plate, vehicle } = await registerWith();
    await world.cancel('alpha', made, '2026-10-12');
    await world.register('bravo', {
      ...recordBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [vehicle] }),
      certificate: {
        cocNumber: uniqueNumber('COC'),
        effectiveDate: '2026-10-05',
        expirationDate: '2026-10-31',
      },
    });
    expect(await statuses(plate, ['2026-10-04', '2026-10-05', '2026-10-12'])).toEqual([
      'CANCELLED',
      'EXPIRING',
      'EXPIRING',
    ]);
    expect(await check(plate, '2026-10-04')).toMatchObject({
      coverage: { insurerCode: 'INS-ALPHA' },
      next: { insurerCode: 'INS-BRAVO', effectiveDate: '2026-10-05' },
    });
    expect((await check(plate, '2026-10-05')).coverage).toMatchObject({ insurerCode: 'INS-BRAVO' });
  });

  it('ranks below another vehicle in force with the same identifier, even as a less specific kind', async () => {
    const { made } = await registerWith(makePlainVehicle({ chassisNumber: 'PAST1001' }));
    await world.cancel('alpha', made, '2026-10-12');
    expect((await check('PAST1001', '2026-10-11')).coverage?.insurerCode).toBe('INS-ALPHA');
    const other = makePlainVehicle({ plateNumber: 'PAST1001' });
    await world.register('bravo', inForceFromSeptember(other));
    expect(await check('PAST1001', '2026-10-11')).toMatchObject({
      matchedBy: 'plateNumber',
      coverage: { insurerCode: 'INS-BRAVO' },
    });
  });

  it('is the one registered last if there are several', async () => {
    const { made, plate, vehicle } = await registerWith();
    await world.cancel('alpha', made, '2026-10-12');
    const again = await world.register('bravo', inForceFromSeptember(vehicle));
    await world.cancel('bravo', again, '2026-10-13');
    expect((await check(plate, '2026-10-11')).coverage).toMatchObject({
      insurerCode: 'INS-BRAVO',
      coverageStatus: 'CANCELLED',
    });
    expect((await check(plate, '2026-10-12')).coverage?.insurerCode).toBe('INS-BRAVO');
  });
});

describe('a vehicle that was removed later', () => {
  it.each([
    ['late on 15 October in Manila', '2026-10-15T15:59:59Z', null],
    ['early on 16 October in Manila', '2026-10-15T16:00:00Z', 'SUPERSEDED'],
  ])('is covered on the days before its removal, %s', async (_when, removedAt, onTheDay) => {
    const { made, plate, remove } = await registerWith();
    world.clock.moveTo(new Date(removedAt));
    await remove();
    world.clock.moveTo(new Date('2026-10-20T02:00:00Z'));
    expect(
      await statuses(plate, ['2026-09-30', '2026-10-01', '2026-10-14', '2026-10-15', '2026-10-16']),
    ).toEqual([null, 'SUPERSEDED', 'SUPERSEDED', onTheDay, null]);
    expect(await check(plate)).toMatchObject({ covered: false, coverage: null, next: null });
    expect((await check(plate, '2026-10-14')).coverage).toMatchObject({
      registryReference: made.registryReference,
      effectiveDate: '2026-10-01',
      expirationDate: '2027-09-30',
    });
  });

  it('is covered for the period that its certificate had at the removal', async () => {
    const { made, plate, remove } = await registerWith();
    await remove();
    await world.amend('alpha', made.registryReference, {
      certificate: { effectiveDate: '2026-10-10', expirationDate: '2027-03-31' },
    });
    expect(await statuses(plate, ['2026-10-05', '2026-10-14', '2026-10-15'])).toEqual([
      'SUPERSEDED',
      'SUPERSEDED',
      null,
    ]);
    expect((await check(plate, '2026-10-05')).coverage).toMatchObject({
      effectiveDate: '2026-10-01',
      expirationDate: '2027-09-30',
    });
    // One amendment that removes the vehicle and changes the period.
    const other = await registerWith();
    await world.amend('alpha', other.made.registryReference, {
      certificate: { effectiveDate: '2026-10-10' },
      vehicles: { remove: [{ plateNumber: other.plate }] },
    });
    expect(await statuses(other.plate, ['2026-10-05'])).toEqual(['SUPERSEDED']);
  });

  it('is covered for the current period of its certificate if a worker of the previous release removed it', async () => {
    const { made, plate, remove } = await registerWith();
    await remove();
    await world.db.$executeRaw`
      UPDATE certificate_vehicles SET covered_from = NULL, covered_until = NULL
      WHERE certificate_id = (SELECT id FROM certificates WHERE registry_reference = ${made.registryReference})`;
    expect(await statuses(plate, ['2026-09-30', '2026-10-14', '2026-10-15'])).toEqual([
      null,
      'SUPERSEDED',
      null,
    ]);
  });

  it('is covered no longer than its certificate if that was cancelled afterwards', async () => {
    const { made, plate, remove } = await registerWith();
    await remove();
    world.clock.moveTo(new Date('2026-10-20T02:00:00Z'));
    await world.cancel('alpha', made, '2026-10-12');
    expect(await statuses(plate, ['2026-10-11', '2026-10-12', '2026-10-14'])).toEqual([
      'SUPERSEDED',
      null,
      null,
    ]);
    const wrong = await registerWith();
    await wrong.remove();
    await cancel(wrong.made, 'ISSUED_IN_ERROR');
    expect(await statuses(wrong.plate, ['2026-10-11'])).toEqual([null]);
  });

  it('is covered by another certificate in force, or by its own after it was added again', async () => {
    const { made, plate, vehicle, remove } = await registerWith();
    await remove();
    await world.register('bravo', {
      ...recordBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [vehicle] }),
      certificate: {
        cocNumber: uniqueNumber('COC'),
        effectiveDate: '2026-10-10',
        expirationDate: '2026-10-31',
      },
    });
    expect(await statuses(plate, ['2026-10-09', '2026-10-10'])).toEqual(['SUPERSEDED', 'EXPIRING']);
    const back = await registerWith();
    await back.remove();
    await world.amend('alpha', back.made.registryReference, { vehicles: { add: [back.vehicle] } });
    expect(await statuses(back.plate, ['2026-10-14', '2026-10-15'])).toEqual(['ACTIVE', 'ACTIVE']);
    expect((await check(back.plate)).coverage?.registryReference).not.toBe(made.registryReference);
  });

  it('is covered until an update turned it into another vehicle', async () => {
    const { made, plate } = await registerWith();
    const { plateNumber, mvFileNumber, engineNumber, chassisNumber } = makePlainVehicle();
    const set = { plateNumber, mvFileNumber, engineNumber, chassisNumber };
    await world.amend('alpha', made.registryReference, {
      vehicles: { update: [{ match: { plateNumber: plate }, set }] },
    });
    expect(await statuses(plate, ['2026-10-14', '2026-10-15'])).toEqual(['SUPERSEDED', null]);
    expect(await statuses(plateNumber, ['2026-10-14', '2026-10-15'])).toEqual(['ACTIVE', 'ACTIVE']);
  });
});
