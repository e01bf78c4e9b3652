import { IDENTIFIER_KINDS } from '../../../shared/contract/enums.ts';
import type { VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import {
  type BodyChanges,
  makeBody,
  makePlainVehicle,
  today,
  uniqueNumber,
} from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { cancelOn, errorsOf, registerOn } from './registered-certificate.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const DAY = today();

const register = (client: string, changes?: BodyChanges) => registerOn(stack, client, changes);

async function amendVehicle(registryReference: string, match: object, set: object) {
  const { status, text } = await stack.post(
    'alpha',
    `/ppai/policies/${registryReference}/amendments`,
    {
      externalTransactionId: uniqueNumber('AMEND'),
      reason: 'New plates',
      changes: { vehicles: { update: [{ match, set }] } },
    },
  );
  expect([status, text]).toEqual([200, text]);
}

const bravo = (vehicles: VehicleBody[], from = 0, to = 365) =>
  makeBody({
    issuingInsurerCode: 'INS-BRAVO',
    certificate: { effectiveDate: addDays(DAY, from), expirationDate: addDays(DAY, to) },
    vehicles,
  });

describe('the cover of a vehicle (D9)', () => {
  it.each(IDENTIFIER_KINDS)('refuses another certificate that shares only the %s', async (kind) => {
    const vehicle = makePlainVehicle();
    await register('alpha', { vehicles: [vehicle] });
    const other = makePlainVehicle({ [kind]: vehicle[kind] });
    const refused = await stack.transmit('bravo', bravo([makePlainVehicle(), other]));
    expect(refused.status).toBe(422);
    expect(refused.errorCode).toBe('VEHICLE_ALREADY_INSURED');
    expect(errorsOf(refused)).toEqual(['VEHICLE_ALREADY_INSURED vehicles[1].plateNumber']);
  });

  it('is reported with its insurer and expiration date, and no other detail', async () => {
    const vehicle = makePlainVehicle();
    const first = await register('alpha', { vehicles: [vehicle] });
    const refused = await stack.transmit('bravo', bravo([vehicle]));
    expect(refused.findings).toContainEqual({
      level: 3,
      severity: 'ERROR',
      code: 'VEHICLE_ALREADY_INSURED',
      field: 'vehicles[0].plateNumber',
      message: `Already covered by Alpha Insurance until ${addDays(DAY, 365)}. Matched by chassisNumber ${vehicle.chassisNumber}, engineNumber ${vehicle.engineNumber}, mvFileNumber ${vehicle.mvFileNumber} and plateNumber ${vehicle.plateNumber}.`,
    });
    const text = JSON.stringify(refused);
    for (const secret of [
      first.body.policy.policyNumber,
      first.body.certificate.cocNumber,
      first.registryReference,
      'Maria Santos',
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('leads to one finding for each affected vehicle', async () => {
    const vehicles = [makePlainVehicle(), makePlainVehicle(), makePlainVehicle()];
    await register('alpha', { vehicles: vehicles.slice(0, 2) });
    expect(errorsOf(await stack.transmit('bravo', bravo(vehicles)))).toEqual([
      'VEHICLE_ALREADY_INSURED vehicles[0].plateNumber',
      'VEHICLE_ALREADY_INSURED vehicles[1].plateNumber',
    ]);
  });

  it('refuses another certificate of the same insurer, too', async () => {
    const vehicle = makePlainVehicle();
    await register('alpha', { vehicles: [vehicle] });
    const again = await stack.transmit('alpha', makeBody({ vehicles: [vehicle] }));
    expect(again.errorCode).toBe('VEHICLE_ALREADY_INSURED');
  });

  it.each([
    ['ends on the day the other begins', -30, 0, 422],
    ['ends on the day before', -30, -1, 201],
    ['begins on the day the other ends', 100, 200, 422],
    ['begins on the day after: a renewal', 101, 200, 201],
    ['lies within the other', 10, 20, 422],
    ['encloses the other', -10, 150, 422],
  ])('conflicts only on a shared day: with one that %s', async (_what, from, to, expected) => {
    const vehicle = makePlainVehicle();
    await register('alpha', {
      vehicles: [vehicle],
      certificate: { effectiveDate: DAY, expirationDate: addDays(DAY, 100) },
    });
    const { status } = await stack.transmit('bravo', bravo([vehicle], from, to));
    expect(status).toBe(expected);
  });

  it('ends when its certificate is cancelled', async () => {
    const vehicle = makePlainVehicle();
    await cancelOn(stack, 'alpha', await register('alpha', { vehicles: [vehicle] }));
    expect((await stack.transmit('bravo', bravo([vehicle]))).status).toBe(201);
  });

  it('is not reserved by a rejected transmission', async () => {
    const vehicle = makePlainVehicle();
    await stack.transmit('alpha', makeBody({ vehicles: [vehicle], operator: { name: null } }));
    expect((await stack.transmit('bravo', bravo([vehicle]))).status).toBe(201);
  });

  it('is reported together with other errors, as VALIDATION_FAILED (D11)', async () => {
    const vehicle = makePlainVehicle();
    await register('alpha', { vehicles: [vehicle] });
    const refused = await stack.transmit('bravo', {
      ...bravo([vehicle]),
      operator: { operatorType: 'INDIVIDUAL', region: 'NCR' },
    });
    expect(refused.errorCode).toBe('VALIDATION_FAILED');
    expect(errorsOf(refused)).toEqual([
      'REQUIRED operator.name',
      'VEHICLE_ALREADY_INSURED vehicles[0].plateNumber',
    ]);
  });
});

describe('a historical identifier (D10)', () => {
  it('still identifies a covered vehicle: its replaced plate is refused', async () => {
    const vehicle = makePlainVehicle({ plateNumber: 'OLD0001' });
    const { registryReference } = await register('alpha', { vehicles: [vehicle] });
    await amendVehicle(registryReference, { plateNumber: 'OLD0001' }, { plateNumber: 'NEW0001' });
    for (const plateNumber of ['OLD0001', 'NEW0001']) {
      const refused = await stack.transmit('bravo', bravo([makePlainVehicle({ plateNumber })]));
      expect(refused.errorCode).toBe('VEHICLE_ALREADY_INSURED');
    }
  });

  it('that a renewal replaced identifies the same vehicle afterwards', async () => {
    const vehicle = makePlainVehicle({ plateNumber: 'REN0001' });
    await register('alpha', {
      vehicles: [vehicle],
      certificate: { effectiveDate: addDays(DAY, -300), expirationDate: addDays(DAY, -1) },
    });
    const renewed = { ...vehicle, plateNumber: 'REN0002' };
    await register('alpha', { vehicles: [renewed] });
    const refused = await stack.transmit(
      'bravo',
      bravo([makePlainVehicle({ plateNumber: 'REN0001' })]),
    );
    expect(refused.errorCode).toBe('VEHICLE_ALREADY_INSURED');
    const old = await stack.get('alpha', '/ppai/vehicles/REN0001/coverage');
    expect(old.envelope.data).toMatchObject({
      covered: true,
      vehicle: { plateNumber: 'REN0002', chassisNumber: vehicle.chassisNumber },
    });
  });
});

describe('identifiers of two vehicles (D10)', () => {
  const past = { effectiveDate: addDays(DAY, -300), expirationDate: addDays(DAY, -1) };

  it('raise IDENTIFIER_CONFLICT, and the most specific one decides: chassis, engine, MV file, plate', async () => {
    const [one, two] = [makePlainVehicle(), makePlainVehicle()];
    await register('alpha', { vehicles: [one, two], certificate: past });
    const mixed = { ...one, chassisNumber: two.chassisNumber };
    const { acknowledgment, registryReference } = await register('alpha', { vehicles: [mixed] });
    expect(acknowledgment).toMatchObject({
      status: 'FLAGGED',
      flags: [{ type: 'IDENTIFIER_CONFLICT', plateNumber: one.plateNumber }],
    });
    // The chassis number decided for vehicle two: the new cover is found by its plate.
    const { envelope } = await stack.get('alpha', `/ppai/vehicles/${two.plateNumber}/coverage`);
    expect(envelope.data).toMatchObject({ coverage: { registryReference } });
  });

  it('raise a flag for each of two vehicles that share identifiers with the same third one', async () => {
    const [one, two, third] = [makePlainVehicle(), makePlainVehicle(), makePlainVehicle()];
    await register('alpha', { vehicles: [one, two, third], certificate: past });
    const { acknowledgment } = await register('alpha', {
      vehicles: [
        { ...one, plateNumber: third.plateNumber },
        { ...two, engineNumber: third.engineNumber },
      ],
    });
    expect(acknowledgment.flags.map(({ type }) => type)).toEqual([
      'IDENTIFIER_CONFLICT',
      'IDENTIFIER_CONFLICT',
    ]);
  });

  it('are refused if one of the vehicles is covered by another certificate', async () => {
    const [free, covered] = [makePlainVehicle(), makePlainVehicle()];
    await register('alpha', { vehicles: [free], certificate: past });
    await register('alpha', { vehicles: [covered] });
    const mixed = makePlainVehicle({
      chassisNumber: free.chassisNumber,
      plateNumber: covered.plateNumber,
    });
    const refused = await stack.transmit('bravo', bravo([mixed]));
    expect(refused.errorCode).toBe('VEHICLE_ALREADY_INSURED');
  });

  it('are refused if one of the vehicles is covered under an identifier that was not sent', async () => {
    const covered = makePlainVehicle({ plateNumber: 'HID0001' });
    const free = makePlainVehicle();
    await register('alpha', { vehicles: [free], certificate: past });
    await register('alpha', { vehicles: [covered] });
    const mixed = { ...free, mvFileNumber: covered.mvFileNumber };
    expect((await stack.transmit('bravo', bravo([mixed]))).errorCode).toBe(
      'VEHICLE_ALREADY_INSURED',
    );
  });

  it('are refused in an amendment while another certificate has reserved one of them', async () => {
    const [one, two] = [makePlainVehicle(), makePlainVehicle()];
    const { engineNumber } = two;
    const later = { effectiveDate: addDays(DAY, 400), expirationDate: addDays(DAY, 500) };
    const first = await register('alpha', { vehicles: [one] });
    const second = await register('bravo', { issuingInsurerCode: 'INS-BRAVO', vehicles: [two] });
    // Vehicle one now owns the engine number, but the second certificate has reserved it for the first one's days.
    await register('alpha', { vehicles: [{ ...one, engineNumber }], certificate: later });
    const amendEngine = () =>
      stack.post('alpha', `/ppai/policies/${first.registryReference}/amendments`, {
        externalTransactionId: uniqueNumber('AMD'),
        reason: 'The engine was replaced',
        changes: {
          vehicles: {
            update: [{ match: { plateNumber: one.plateNumber }, set: { engineNumber } }],
          },
        },
      });
    const refused = await amendEngine();
    expect(refused.envelope.error?.code).toBe('VEHICLE_ALREADY_INSURED');
    await cancelOn(stack, 'bravo', second);
    expect((await amendEngine()).status).toBe(200);
    // The amended certificate has reserved it now; its vehicle owned it before.
    const third = await stack.transmit('bravo', bravo([makePlainVehicle({ engineNumber })]));
    expect(third.errorCode).toBe('VEHICLE_ALREADY_INSURED');
  });
});
