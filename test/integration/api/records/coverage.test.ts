import { DISCLAIMER } from '../../../../shared/contract/machine/acknowledgment.ts';
import type { CoverageResult } from '../../../../shared/contract/machine/coverage.ts';
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

const getCoverage = (identifier: string, query = '', client = 'alpha') =>
  world.get(client, `/ppai/vehicles/${encodeURIComponent(identifier)}/coverage${query}`);

async function check(identifier: string, asOf?: string, client?: string): Promise<CoverageResult> {
  const answer = await getCoverage(identifier, asOf === undefined ? '' : `?asOf=${asOf}`, client);
  expect(answer.status).toBe(200);
  return answer.envelope.data as unknown as CoverageResult;
}

const span = (effectiveDate: string, expirationDate: string) => ({ effectiveDate, expirationDate });

describe('a coverage check', () => {
  it('finds a vehicle by any identifier, and shows no operator data', async () => {
    const vehicle = makePlainVehicle({ plateNumber: 'CVR 1001', chassisNumber: 'cvr-chassis-1' });
    const made = await world.register('alpha', recordBody({ vehicles: [vehicle] }));
    const result = await check('cvr 10/01');
    expect(result).toEqual({
      identifier: 'CVR1001',
      matchedBy: 'plateNumber',
      asOf: '2026-10-15',
      covered: true,
      vehicle: {
        plateNumber: 'CVR1001',
        mvFileNumber: vehicle.mvFileNumber,
        engineNumber: vehicle.engineNumber,
        chassisNumber: 'CVRCHASSIS1',
        make: 'Isuzu',
        model: 'Elf',
        yearModel: 2020,
        vehicleType: 'JEEPNEY',
        denomination: 'PUJ',
      },
      coverage: {
        insurerCode: 'INS-ALPHA',
        insurerName: 'Alpha Insurance',
        effectiveDate: '2026-10-01',
        expirationDate: '2027-09-30',
        coverageStatus: 'ACTIVE',
        registryReference: made.registryReference,
      },
      next: null,
      disclaimer: DISCLAIMER,
    });
    expect(await check('CVRCHASSIS1')).toMatchObject({ matchedBy: 'chassisNumber', covered: true });
    expect(await check(vehicle.engineNumber ?? '')).toMatchObject({ matchedBy: 'engineNumber' });
    expect(await check(vehicle.mvFileNumber ?? '')).toMatchObject({ matchedBy: 'mvFileNumber' });
    expect(JSON.stringify(result)).not.toContain('Santos');
  });

  it('shows the cover to any client with the scope, but the reference only to organizations that see the record', async () => {
    const vehicle = makePlainVehicle();
    await world.register(
      'bravo',
      recordBody({ issuingInsurerCode: 'INS-BRAVO', vehicles: [vehicle] }),
    );
    const seen = (await check(vehicle.plateNumber ?? '', undefined, 'charlie')).coverage;
    expect(seen).toMatchObject({
      insurerCode: 'INS-BRAVO',
      insurerName: 'Bravo Insurance',
      registryReference: null,
    });
  });

  it('includes the first and the last day of a certificate, and no day before or after', async () => {
    const vehicle = makePlainVehicle();
    await world.register(
      'alpha',
      recordBody({
        vehicles: [vehicle],
        certificate: span('2026-11-01', '2027-01-31'),
      }),
    );
    const plate = vehicle.plateNumber ?? '';
    expect(await check(plate, '2026-10-31')).toMatchObject({
      covered: false,
      coverage: null,
      next: { ...span('2026-11-01', '2027-01-31'), coverageStatus: 'UPCOMING' },
    });
    expect(await check(plate, '2026-11-01')).toMatchObject({
      covered: true,
      coverage: { coverageStatus: 'ACTIVE' },
      next: null,
    });
    expect(await check(plate, '2027-01-01')).toMatchObject({
      coverage: { coverageStatus: 'EXPIRING' },
    });
    expect(await check(plate, '2026-12-31')).toMatchObject({
      coverage: { coverageStatus: 'ACTIVE' },
    });
    expect(await check(plate, '2027-01-31')).toMatchObject({
      covered: true,
      coverage: { coverageStatus: 'EXPIRING' },
    });
    expect(await check(plate, '2027-02-01')).toMatchObject({
      covered: false,
      coverage: null,
      next: null,
    });
  });

  it('shows the earliest cover that begins later, from any insurer', async () => {
    const vehicle = makePlainVehicle();
    await world.register('alpha', recordBody({ vehicles: [vehicle] }));
    await world.register(
      'alpha',
      recordBody({ vehicles: [vehicle], certificate: span('2028-10-01', '2029-09-30') }),
    );
    await world.register(
      'bravo',
      recordBody({
        issuingInsurerCode: 'INS-BRAVO',
        vehicles: [vehicle],
        certificate: span('2027-10-01', '2028-09-30'),
      }),
    );
    const plate = vehicle.plateNumber ?? '';
    expect(await check(plate)).toMatchObject({
      coverage: { insurerCode: 'INS-ALPHA', ...span('2026-10-01', '2027-09-30') },
      next: {
        insurerCode: 'INS-BRAVO',
        ...span('2027-10-01', '2028-09-30'),
        registryReference: null,
      },
    });
    expect(await check(plate, '2028-02-29')).toMatchObject({
      asOf: '2028-02-29',
      coverage: { insurerCode: 'INS-BRAVO' },
      next: { insurerCode: 'INS-ALPHA', effectiveDate: '2028-10-01' },
    });
  });

  it('finds no cover for a removed vehicle until it is added again', async () => {
    const [stays, leaves] = [makePlainVehicle(), makePlainVehicle()];
    const { registryReference } = await world.register(
      'alpha',
      recordBody({ vehicles: [stays, leaves] }),
    );
    const plate = leaves.plateNumber ?? '';
    await world.amend('alpha', registryReference, {
      vehicles: { remove: [{ plateNumber: plate }] },
    });
    expect(await check(plate)).toMatchObject({ covered: false, coverage: null });
    expect(await check(stays.plateNumber ?? '')).toMatchObject({ covered: true });
    await world.amend('alpha', registryReference, { vehicles: { add: [leaves] } });
    expect(await check(plate)).toMatchObject({ covered: true, coverage: { registryReference } });
  });

  it('finds a vehicle by its former plate', async () => {
    const vehicle = makePlainVehicle({ plateNumber: 'PAST101' });
    await world.register(
      'alpha',
      recordBody({ vehicles: [vehicle], certificate: span('2026-01-01', '2026-09-30') }),
    );
    await world.register(
      'alpha',
      recordBody({ vehicles: [{ ...vehicle, plateNumber: 'PRESENT1' }] }),
    );
    expect(await check('PAST101')).toMatchObject({
      identifier: 'PAST101',
      matchedBy: 'plateNumber',
      covered: true,
      vehicle: { plateNumber: 'PRESENT1' },
      coverage: { effectiveDate: '2026-10-01' },
    });
  });
});

describe('a coverage check that cannot be answered', () => {
  it.each(['UNKNOWN1', '-', '%', 'é', '\u{1F68C}', "' OR 1=1"])(
    'is NOT_FOUND for %s',
    async (identifier) => {
      const { status, envelope } = await getCoverage(identifier);
      expect({ status, code: envelope.error?.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    },
  );

  it.each([
    '2026-02-30',
    '2026-2-1',
    'today',
    '',
    '2026-10-15T00:00:00Z',
    '2026-10-15&asOf=2026-10-16',
  ])('has a finding for asOf=%s', async (asOf) => {
    const { status, envelope } = await getCoverage('UNKNOWN1', `?asOf=${asOf}`);
    expect(status).toBe(422);
    expect(envelope.error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ level: 2, severity: 'ERROR', code: 'INVALID_FORMAT', field: 'asOf' }],
    });
  });

  it.each(['0000-01-01', '1899-12-31', '3000-01-01', '9999-12-31'])(
    'reports that asOf=%s is out of range, not that it is no date',
    async (asOf) => {
      const { status, envelope } = await getCoverage('UNKNOWN1', `?asOf=${asOf}`);
      expect(status).toBe(422);
      expect(envelope.error?.details).toEqual([
        {
          level: 2,
          severity: 'ERROR',
          code: 'INVALID_DATE_RANGE',
          field: 'asOf',
          message: 'Must be between 1900-01-01 and 2999-12-31.',
        },
      ]);
    },
  );

  it('is FORBIDDEN without the scope', async () => {
    await world.db
      .$executeRaw`UPDATE api_clients SET scopes = '{ppai:read}' WHERE name = 'charlie'`;
    const { status, envelope } = await getCoverage('UNKNOWN1', '', 'charlie');
    await world.db
      .$executeRaw`UPDATE api_clients SET scopes = '{ppai:read,vehicles:verify}' WHERE name = 'charlie'`;
    expect({ status, code: envelope.error?.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
  });
});
