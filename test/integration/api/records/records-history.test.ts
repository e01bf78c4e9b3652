import { IDENTIFIER_KINDS } from '../../../../shared/contract/enums.ts';
import { makeVehicle } from '../../../env/api/bodies.ts';
import {
  ALPHA,
  MASKED,
  type RecordWorld,
  type Registered,
  readRecordOf,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

const read = (client: string, registered: Registered) => readRecordOf(world, client, registered);

describe('an amended record', () => {
  it('shows every version, the diff of every amendment, and removed vehicles', async () => {
    const [stays, leaves, joins] = [
      makeVehicle(),
      makeVehicle(),
      makeVehicle({ plateNumber: 'new 1' }),
    ];
    const made = await world.register('alpha', recordBody({ vehicles: [stays, leaves] }));
    world.clock.advance(60_000);
    await world.amend('alpha', made.registryReference, {
      operator: { contactEmail: 'anna@example.org', tin: '999-888-777-123', contactPhone: null },
      vehicles: { remove: [{ plateNumber: leaves.plateNumber }] },
    });
    world.clock.advance(60_000);
    await world.amend('alpha', made.registryReference, {
      certificate: { expirationDate: '2027-08-31' },
      vehicles: { add: [joins] },
    });
    const record = await read('alpha', made);
    expect(record).toMatchObject({
      currentVersion: 3,
      expirationDate: '2027-08-31',
      plateNumbers: [stays.plateNumber, 'NEW1'],
      vehicleCount: 2,
      operator: {
        tinMasked: '************123',
        contactEmailMasked: 'a***@example.org',
        contactPhoneMasked: null,
      },
    });
    expect(
      record.vehicles.map(({ vehicle, addedInVersion, removedInVersion }) => [
        vehicle.plateNumber,
        addedInVersion,
        removedInVersion,
      ]),
    ).toEqual([
      [stays.plateNumber, 1, null],
      [leaves.plateNumber, 1, 2],
      ['NEW1', 3, null],
    ]);
    expect(record.vehicles[2]?.transmitted.plateNumber).toBe('new 1');
    expect(
      record.versions.map(({ version, coverageStatus, supersededAt }) => [
        version,
        coverageStatus,
        supersededAt !== null,
      ]),
    ).toEqual([
      [1, 'SUPERSEDED', true],
      [2, 'SUPERSEDED', true],
      [3, 'ACTIVE', false],
    ]);
    expect(record.versions[0]?.supersededAt).toBe(record.versions[1]?.createdAt);
    expect(record.versions[0]?.snapshot).toMatchObject({
      operator: MASKED,
      certificate: { expirationDate: '2027-09-30' },
    });
    expect(record.versions[2]?.snapshot).toMatchObject({
      operator: { tinMasked: '************123', contactEmailMasked: 'a***@example.org' },
      certificate: { expirationDate: '2027-08-31' },
    });
    expect(record.amendments).toEqual([
      {
        id: expect.any(String),
        fromVersion: 1,
        toVersion: 2,
        reason: 'The operator asked for it',
        diff: expect.arrayContaining([
          { path: 'operator.tin', before: '************000', after: '************123' },
          { path: 'operator.contactEmail', before: 'm***@example.org', after: 'a***@example.org' },
          { path: 'operator.contactPhone', before: '********0142', after: null },
        ]),
        organization: ALPHA,
        actor: 'alpha',
        transmissionReference: expect.stringMatching(/^PPAI-TX-2026-\d{9}$/),
        createdAt: expect.any(String),
      },
      expect.objectContaining({
        fromVersion: 2,
        toVersion: 3,
        diff: expect.arrayContaining([
          { path: 'certificate.expirationDate', before: '2027-09-30', after: '2027-08-31' },
        ]),
      }),
    ]);
    expect(record.transmissions.map(({ kind }) => kind)).toEqual(['CREATE', 'AMEND', 'AMEND']);
    const text = JSON.stringify(record);
    for (const personal of ['999-888', 'anna@']) expect(text).not.toContain(personal);
  });

  it('lists the former vehicle as removed after an update into another one, and is found by both', async () => {
    const [stays, before, after] = [makeVehicle(), makeVehicle(), makeVehicle()];
    const made = await world.register('alpha', recordBody({ vehicles: [before, stays] }));
    const { plateNumber, mvFileNumber, engineNumber, chassisNumber } = after;
    const set = { plateNumber, mvFileNumber, engineNumber, chassisNumber };
    await world.amend('alpha', made.registryReference, {
      vehicles: { update: [{ match: { plateNumber: before.plateNumber }, set }] },
    });
    const history = async () =>
      (await read('alpha', made)).vehicles.map(({ vehicle, ...one }) => [
        vehicle.plateNumber,
        one.addedInVersion,
        one.removedInVersion,
      ]);
    expect(await history()).toEqual([
      [before.plateNumber, 1, 2],
      [stays.plateNumber, 1, null],
      [after.plateNumber, 2, null],
    ]);
    for (const one of [before, stays, after]) {
      for (const kind of IDENTIFIER_KINDS) {
        const found = await world.get('alpha', `/ppai/policies/search?${kind}=${one[kind]}`);
        expect(found.envelope.data).toMatchObject({
          items: [{ registryReference: made.registryReference, vehicleCount: 2 }],
        });
      }
    }
    const elsewhere = recordBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [before] });
    await world.register('bravo', elsewhere);
    // After partial updates, the new vehicle is still the same vehicle.
    await world.amend('alpha', made.registryReference, {
      vehicles: {
        update: [
          { match: { plateNumber }, set: { plateNumber: 'LATER1', make: 'Hino' } },
          { match: { plateNumber: stays.plateNumber }, set: { engineNumber: 'LATER1' } },
        ],
      },
    });
    expect(await history()).toEqual([
      [before.plateNumber, 1, 2],
      [stays.plateNumber, 1, null],
      ['LATER1', 2, null],
    ]);
  });

  it('lists a refused amendment only for organizations that may look up its transmission', async () => {
    const body = recordBody({ issuingInsurerCode: 'INS-BRAVO', poolCode: 'POOL-NORTH' });
    const made = await world.register('bravo', body);
    const refused = await world.send('mgt-one', {
      path: `/ppai/policies/${made.registryReference}/amendments`,
      body: {
        externalTransactionId: 'REFUSED-AMENDMENT-1',
        reason: 'Wrong number',
        changes: { certificate: { cocNumber: 'ANOTHER' } },
      },
    });
    expect(refused.envelope.error?.code).toBe('IMMUTABLE_FIELD');
    const seenBy = async (client: string) =>
      (await read(client, made)).transmissions.map((one) => [
        one.kind,
        one.status,
        one.errorCode,
        one.actor,
      ]);
    const create = ['CREATE', 'ACCEPTED', null, 'bravo'];
    const amendment = ['AMEND', 'REJECTED', 'IMMUTABLE_FIELD', 'mgt-one'];
    expect(await seenBy('bravo')).toEqual([create, amendment]);
    expect(await seenBy('verifier')).toEqual([create, amendment]);
    expect(await seenBy('mgt-one')).toEqual([amendment]);
    expect(await seenBy('alpha-read-only')).toEqual([]);
    const [, rejected] = (await read('bravo', made)).transmissions;
    expect(rejected).toMatchObject({
      registryReference: null,
      cocNumber: body.certificate.cocNumber,
    });
  });
});

describe('a cancelled record', () => {
  it('keeps its data and shows the cancellation', async () => {
    const made = await world.register('alpha', recordBody());
    await world.cancel('alpha', made, '2026-10-10');
    const record = await read('alpha', made);
    expect(record).toMatchObject({
      lifecycle: 'CANCELLED',
      coverageStatus: 'CANCELLED',
      currentVersion: 1,
      vehicleCount: 1,
    });
    expect(record.versions).toEqual([
      expect.objectContaining({ version: 1, coverageStatus: 'CANCELLED' }),
    ]);
    expect(record.cancellation).toEqual({
      cancellationEffectiveDate: '2026-10-10',
      reasonCode: 'OPERATOR_REQUEST',
      reasonText: 'Sold',
      supportingReference: 'LETTER-7',
      documentId: null,
      organization: ALPHA,
      actor: 'alpha',
      transmissionReference: record.transmissions[1]?.transmissionReference,
      createdAt: expect.any(String),
    });
  });
});
