import type { ReferenceVehicle } from '../../../../shared/contract/staff/reference.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { outcomeOf, refused, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/reference/vehicles';

let stack: Stack;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  auditor = await signInAs(stack, 'AUDITOR');
  const { db } = stack.api.context;
  await db.referenceRegion.create({ data: { region: 'CAR' } });
  await db.referenceVehicle.createMany({
    data: [
      { region: 'CAR', plateNumber: 'CAR1001', engineNumber: 'ENG1001NCR' },
      { region: 'CAR', plateNumber: 'CAR1002' },
    ],
  });
});
afterAll(() => stack.stop());

const plates = (items: readonly ReferenceVehicle[]) => items.map(({ plateNumber }) => plateNumber);

describe('the search in the reference data', () => {
  it('lists a region in the order of its import, once each over the pages', async () => {
    const car = await listAll<ReferenceVehicle>(auditor, `${BASE}?region=CAR`);
    expect(plates(car)).toEqual(['CAR1001', 'CAR1002']);
    const ncr = await listPage<ReferenceVehicle>(auditor, `${BASE}?region=NCR&limit=2`);
    const { db } = stack.api.context;
    expect(ncr.total).toBe(await db.referenceVehicle.count({ where: { region: 'NCR' } }));
    expect(ncr.items.every(({ region }) => region === 'NCR')).toBe(true);
  });

  it('finds by normalized identifiers, in one region or in all', async () => {
    const find = async (query: string) =>
      plates((await listPage<ReferenceVehicle>(auditor, `${BASE}?${query}`)).items);
    expect(await find('plateNumber=car-1001')).toEqual(['CAR1001']);
    const both = await find('engineNumber=ENG1001NCR');
    expect(new Set(both)).toEqual(new Set(['CAR1001', 'NCR1001']));
    expect(await find('engineNumber=ENG1001NCR&region=NCR')).toEqual(['NCR1001']);
    expect(await find('engineNumber=ENG1001NCR&plateNumber=CAR1002')).toEqual([]);
    expect(await find('chassisNumber=ENG1001NCR')).toEqual([]);
    expect(await find('region=BARMM')).toEqual([]);
  });

  it('shows what is not on file as null', async () => {
    const { items } = await listPage<ReferenceVehicle>(auditor, `${BASE}?plateNumber=CAR1002`);
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        region: 'CAR',
        plateNumber: 'CAR1002',
        mvFileNumber: null,
        engineNumber: null,
        chassisNumber: null,
      },
    ]);
  });

  it.each([
    ['region=XIV', 'region'],
    ['plateNumber=-', 'plateNumber'],
    ['cursor=abc', 'cursor'],
  ])('is VALIDATION_FAILED for ?%s', async (query, field) => {
    const answer = await auditor.get(`${BASE}?${query}`);
    expect(outcomeOf(answer)).toEqual(refused(422, 'VALIDATION_FAILED'));
    expect(fieldsOf(answer)).toEqual([field]);
  });
});
