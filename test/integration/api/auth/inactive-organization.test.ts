import { makePlainVehicle } from '../../../env/api/bodies.ts';
import {
  type RecordWorld,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

const getCoverage = (identifier: string, client: string) =>
  world.get(client, `/ppai/vehicles/${identifier}/coverage`);

describe('an organization that is not active (D34)', () => {
  const setStatus = (status: string) =>
    world.db.$executeRaw`UPDATE organizations SET status = ${status} WHERE code = 'INS-CHARLIE'`;
  afterEach(() => setStatus('ACTIVE'));

  it('may not check coverage, but may read its own transmissions and records', async () => {
    const vehicle = makePlainVehicle();
    const body = recordBody({ issuingInsurerCode: 'INS-CHARLIE', vehicles: [vehicle] });
    const { registryReference, transmissionReference } = await world.register('charlie', body);
    const plate = vehicle.plateNumber ?? '';
    expect((await getCoverage(plate, 'charlie')).status).toBe(200);

    await setStatus('SUSPENDED');
    for (const identifier of [plate, 'NOBODYS1']) {
      const { status, envelope } = await getCoverage(identifier, 'charlie');
      expect({ status, code: envelope.error?.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
      expect(envelope.error?.details).toEqual([
        expect.objectContaining({ code: 'ORGANIZATION_NOT_ACTIVE', field: null }),
      ]);
    }
    for (const path of [
      `/ppai/policies/${registryReference}`,
      `/ppai/policies/search?plateNumber=${plate}`,
      `/ppai/transmissions/${transmissionReference}`,
      `/ppai/transmissions/${body.externalTransactionId}`,
    ]) {
      expect({ path, status: (await world.get('charlie', path)).status }).toEqual({
        path,
        status: 200,
      });
    }
    expect((await getCoverage(plate, 'alpha')).status).toBe(200);
    await setStatus('ACTIVE');
    expect((await getCoverage(plate, 'charlie')).status).toBe(200);
  });
});
