import type { SearchResult } from '../../../../shared/contract/machine/record.ts';
import { makePlainVehicle, uniqueNumber } from '../../../env/api/bodies.ts';
import {
  type RecordWorld,
  type Registered,
  recordBody,
  startRecordWorld,
} from '../../../env/records/record-world.ts';

let world: RecordWorld;
beforeAll(async () => {
  world = await startRecordWorld();
});
afterAll(() => world.stop());

async function search(criteria: Record<string, string>, client = 'alpha'): Promise<SearchResult> {
  const answer = await world.get(
    client,
    `/ppai/policies/search?${new URLSearchParams(criteria).toString()}`,
  );
  expect(answer.status).toBe(200);
  return answer.envelope.data as unknown as SearchResult;
}

async function readReferences(
  criteria: Record<string, string>,
  client?: string,
): Promise<string[]> {
  const { items, total } = await search(criteria, client);
  expect(total).toBe(items.length);
  return items.map(({ registryReference }) => registryReference);
}

async function readRefusal(query: string) {
  const { status, envelope } = await world.get('alpha', `/ppai/policies/search${query}`);
  return { status, code: envelope.error?.code, details: envelope.error?.details };
}

describe('a search', () => {
  it('finds a record by each identifier and number in any notation', async () => {
    const body = recordBody({
      policy: { policyNumber: uniqueNumber('Ｐｏｌ') },
      vehicles: [
        makePlainVehicle({
          plateNumber: 'SRC 1001',
          mvFileNumber: '77-0001',
          engineNumber: 'se.1001',
          chassisNumber: 'sc/1001',
        }),
      ],
    });
    const { registryReference } = await world.register('alpha', body);
    const queries: Record<string, string>[] = [
      { plateNumber: ' src-10 01' },
      { plateNumber: 'ＳＲＣ１００１' },
      { mvFileNumber: '770001' },
      { engineNumber: 'SE1001' },
      { chassisNumber: 'S_C.1001' },
      { policyNumber: ` ${body.policy.policyNumber} ` },
      { cocNumber: body.certificate.cocNumber ?? '' },
    ];
    for (const criteria of queries)
      expect(await readReferences(criteria)).toEqual([registryReference]);
  });

  it('matches only whole identifiers of the same kind', async () => {
    await world.register(
      'alpha',
      recordBody({
        vehicles: [makePlainVehicle({ plateNumber: 'WHO1234', engineNumber: 'WHOENG1' })],
      }),
    );
    for (const criteria of [
      { plateNumber: 'WHO123' },
      { plateNumber: 'WHO12345' },
      { engineNumber: 'WHO1234' },
      { chassisNumber: 'WHOENG1' },
      { plateNumber: 'WHO%' },
    ]) {
      expect(await readReferences(criteria as Record<string, string>)).toEqual([]);
    }
  });

  it('matches only whole numbers in the same case', async () => {
    const number = uniqueNumber('MixedCase');
    await world.register('alpha', recordBody({ policy: { policyNumber: number } }));
    expect(await readReferences({ policyNumber: number.toLowerCase() })).toEqual([]);
    expect(await readReferences({ policyNumber: number.slice(0, -1) })).toEqual([]);
  });

  it('finds a record by every identifier that its vehicles ever had', async () => {
    const vehicle = makePlainVehicle({ plateNumber: 'OLD1001' });
    const first = await world.register(
      'alpha',
      recordBody({
        vehicles: [vehicle],
        certificate: { effectiveDate: '2026-01-01', expirationDate: '2026-09-30' },
      }),
    );
    const second = await world.register(
      'alpha',
      recordBody({ vehicles: [{ ...vehicle, plateNumber: 'NEW1001' }] }),
    );
    const both = [second.registryReference, first.registryReference];
    expect(await readReferences({ plateNumber: 'OLD1001' })).toEqual(both);
    expect(await readReferences({ plateNumber: 'NEW1001' })).toEqual(both);
  });

  it('finds a record by a vehicle that was removed from it', async () => {
    const [stays, leaves] = [makePlainVehicle(), makePlainVehicle()];
    const made = await world.register('alpha', recordBody({ vehicles: [stays, leaves] }));
    await world.amend('alpha', made.registryReference, {
      vehicles: { remove: [{ engineNumber: leaves.engineNumber }] },
    });
    const { items } = await search({ plateNumber: leaves.plateNumber ?? '' });
    expect(items).toEqual([
      expect.objectContaining({
        registryReference: made.registryReference,
        plateNumbers: [stays.plateNumber],
        vehicleCount: 1,
      }),
    ]);
  });

  it('combines criteria with AND, even across the vehicles of one record', async () => {
    const [one, other] = [makePlainVehicle(), makePlainVehicle()];
    const body = recordBody({ vehicles: [one, other] });
    const made = await world.register('alpha', body);
    const plateNumber = one.plateNumber ?? '';
    expect(await readReferences({ plateNumber, engineNumber: other.engineNumber ?? '' })).toEqual([
      made.registryReference,
    ]);
    expect(
      await readReferences({ plateNumber, cocNumber: body.certificate.cocNumber ?? '' }),
    ).toEqual([made.registryReference]);
    expect(await readReferences({ plateNumber, engineNumber: 'ENGELSEWHERE1' })).toEqual([]);
    expect(await readReferences({ plateNumber, policyNumber: 'ELSEWHERE' })).toEqual([]);
  });

  it('shows a summary whose fields equal those of the record', async () => {
    const made = await world.register('alpha', recordBody());
    const record = await world.get('alpha', `/ppai/policies/${made.registryReference}`);
    const { items } = await search({ policyNumber: made.body.policy.policyNumber ?? '' });
    expect(items).toHaveLength(1);
    expect(record.envelope.data).toMatchObject(items[0] as object);
  });

  it('ignores an empty criterion', async () => {
    const made = await world.register('alpha', recordBody());
    const policyNumber = made.body.policy.policyNumber ?? '';
    expect(await readReferences({ policyNumber, plateNumber: ' - ', cocNumber: ' ' })).toEqual([
      made.registryReference,
    ]);
  });
});

describe('the pages of a search', () => {
  const policyNumber = uniqueNumber('FLEET');
  const made: Registered[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 5; count += 1)
      made.unshift(await world.register('alpha', recordBody({ policy: { policyNumber } })));
  });
  const page = async (number: number, pageSize: number) => {
    const result = await search({ policyNumber, page: String(number), pageSize: String(pageSize) });
    expect(result).toMatchObject({ page: number, pageSize, total: 5 });
    return result.items.map(({ registryReference }) => registryReference);
  };

  it('show the newest registration first, each record once', async () => {
    const newestFirst = made.map(({ registryReference }) => registryReference);
    expect([...(await page(1, 2)), ...(await page(2, 2)), ...(await page(3, 2))]).toEqual(
      newestFirst,
    );
    expect(await page(1, 200)).toEqual(newestFirst);
  });

  it('are empty after the last one, and still show the total', async () => {
    expect(await page(4, 2)).toEqual([]);
    expect(await page(1_000_000, 200)).toEqual([]);
  });

  it('have 25 records by default', async () => {
    expect(await search({ policyNumber })).toMatchObject({ page: 1, pageSize: 25, total: 5 });
  });
});

describe('an invalid search', () => {
  const required = [
    { level: 1, severity: 'ERROR', code: 'REQUIRED', field: null, message: expect.any(String) },
  ];

  it.each([
    '',
    '?',
    '?status=ACTIVE',
    '?page=1&pageSize=10',
    '?plateNumber=',
    '?plateNumber=-',
    '?cocNumber=%20',
  ])('is refused because a criterion is required: %s', async (query) => {
    expect(await readRefusal(query)).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      details: required,
    });
  });

  it.each([
    ['page', '?plateNumber=A1&page=0'],
    ['page', '?plateNumber=A1&page=1.5'],
    ['page', '?plateNumber=A1&page=one'],
    ['page', '?plateNumber=A1&page=0x1'],
    ['page', '?plateNumber=A1&page=1e1'],
    ['page', '?plateNumber=A1&page=%201'],
    ['page', '?plateNumber=A1&page=1%20'],
    ['page', '?plateNumber=A1&page=%2B1'],
    ['page', '?plateNumber=A1&page=01'],
    ['page', '?plateNumber=A1&page=1.0'],
    ['page', '?plateNumber=A1&page='],
    ['page', '?plateNumber=A1&page=%EF%BC%91'],
    ['pageSize', '?plateNumber=A1&pageSize=0b11'],
    ['pageSize', '?plateNumber=A1&pageSize=201'],
    ['pageSize', '?plateNumber=A1&pageSize=0'],
    ['status', '?plateNumber=A1&status=active'],
    ['plateNumber', `?plateNumber=${'A'.repeat(65)}`],
    ['plateNumber', '?plateNumber=A1&plateNumber=A2'],
  ])('is refused with a finding for %s: %s', async (field, query) => {
    expect(await readRefusal(query)).toEqual({
      status: 422,
      code: 'VALIDATION_FAILED',
      details: [expect.objectContaining({ level: 2, code: 'INVALID_FORMAT', field })],
    });
  });
});
