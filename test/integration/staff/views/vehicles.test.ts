import type { Vehicle, VehicleItem } from '../../../../shared/contract/staff/views/vehicles.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import { makePlainVehicle, today, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { personalDataIn, registerAs } from '../../../env/staff/records.ts';
import { outcomeOf, refused, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const BASE = '/admin/v1/vehicles';
const DAY = today();
const PAST = { effectiveDate: addDays(DAY, -40), expirationDate: addDays(DAY, -10) };

let stack: Stack;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

const find = (query: string) => listPage<VehicleItem>(auditor, `${BASE}?${query}`);

async function read(id: string | undefined): Promise<Vehicle> {
  const { status, envelope, text } = await auditor.get(`${BASE}/${id}`);
  if (status !== 200) throw new Error(text);
  expect(personalDataIn(text)).toEqual([]);
  return envelope.data as unknown as Vehicle;
}

/** A vehicle that alpha covered in the past under another plate, and that bravo covers now. */
async function renamed() {
  const before = makePlainVehicle();
  const now = { ...before, plateNumber: makePlainVehicle().plateNumber };
  const old = await registerAs(stack, 'INS-ALPHA', { vehicles: [before], certificate: PAST });
  const present = await registerAs(stack, 'INS-BRAVO', { vehicles: [now] });
  return { before, now, old, present };
}

describe('the search for vehicles', () => {
  it('finds one vehicle by any identifier that it has or had, normalized', async () => {
    const { before, now } = await renamed();
    const former = before.plateNumber ?? '';
    for (const query of [
      `plateNumber=${now.plateNumber}`,
      `plateNumber=${former.slice(0, 3).toLowerCase()}%20${former.slice(3)}`,
      `identifier=${former}`,
      `identifier=${now.chassisNumber}`,
      `engineNumber=${now.engineNumber}&mvFileNumber=${now.mvFileNumber}`,
      `identifier=${now.engineNumber}&plateNumber=${former}`,
    ]) {
      const { items, total } = await find(query);
      expect({ query, total, items }).toMatchObject({
        query,
        total: 1,
        items: [{ plateNumber: now.plateNumber, coverCount: 2 }],
      });
    }
  });

  it('finds nothing by an identifier of another kind, of nobody, or of two vehicles', async () => {
    const [{ now }, other] = [await renamed(), await renamed()];
    expect((await find(`plateNumber=${now.engineNumber}`)).items).toEqual([]);
    expect((await find('identifier=NOBODY1')).items).toEqual([]);
    const both = `plateNumber=${now.plateNumber}&engineNumber=${other.now.engineNumber}`;
    expect((await find(both)).items).toEqual([]);
  });

  it('returns the owners of one identifier once each over the pages', async () => {
    const first = makePlainVehicle();
    const second = makePlainVehicle();
    await registerAs(stack, 'INS-ALPHA', { vehicles: [first], certificate: PAST });
    await registerAs(stack, 'INS-ALPHA', { vehicles: [second], certificate: PAST });
    const third = { ...second, plateNumber: first.plateNumber };
    await registerAs(stack, 'INS-BRAVO', { vehicles: [third] });
    const found = await listAll<VehicleItem>(auditor, `${BASE}?plateNumber=${first.plateNumber}`);
    const chassis = new Set(found.map(({ chassisNumber }) => chassisNumber));
    expect(found).toHaveLength(2);
    expect(chassis).toEqual(new Set([first.chassisNumber, second.chassisNumber]));
  });

  it.each([
    ['', [null]],
    ['plateNumber=--', ['plateNumber']],
    ['identifier=.', ['identifier']],
    ['colour=red', ['colour']],
    ['identifier=NOBODY1&cursor=abc', ['cursor']],
  ])('is VALIDATION_FAILED for ?%s', async (query, fields) => {
    const answer = await auditor.get(`${BASE}?${query}`);
    expect(outcomeOf(answer)).toEqual(refused(422, 'VALIDATION_FAILED'));
    expect(fieldsOf(answer)).toEqual(fields);
  });
});

describe('a vehicle', () => {
  it('shows its identifiers with their days, current ones first', async () => {
    const { before, now, present } = await renamed();
    const { items } = await find(`plateNumber=${now.plateNumber}`);
    const { identifiers } = await read(items[0]?.id);
    const days = {
      firstDay: PAST.effectiveDate,
      lastDay: present.body.certificate.expirationDate,
    };
    expect(identifiers).toEqual([
      { kind: 'chassisNumber', value: now.chassisNumber, isCurrent: true, ...days },
      { kind: 'engineNumber', value: now.engineNumber, isCurrent: true, ...days },
      { kind: 'mvFileNumber', value: now.mvFileNumber, isCurrent: true, ...days },
      {
        kind: 'plateNumber',
        value: now.plateNumber,
        isCurrent: true,
        firstDay: present.body.certificate.effectiveDate,
        lastDay: days.lastDay,
      },
      {
        kind: 'plateNumber',
        value: before.plateNumber,
        isCurrent: false,
        firstDay: PAST.effectiveDate,
        lastDay: PAST.expirationDate,
      },
    ]);
  });

  it('shows the covers of all insurers, the latest registration first', async () => {
    const { before, now, old, present } = await renamed();
    const { items } = await find(`identifier=${now.engineNumber}`);
    const { covers, coverCount } = await read(items[0]?.id);
    expect(coverCount).toBe(2);
    expect(covers).toMatchObject([
      {
        registryReference: present.registryReference,
        policyNumber: present.body.policy.policyNumber,
        cocNumber: present.body.certificate.cocNumber,
        issuingInsurer: { code: 'INS-BRAVO' },
        lifecycle: 'CURRENT',
        coverageStatus: 'ACTIVE',
        firstDay: present.body.certificate.effectiveDate,
        lastDay: present.body.certificate.expirationDate,
        registered: { plateNumber: now.plateNumber, chassisNumber: now.chassisNumber },
        addedInVersion: 1,
        removedInVersion: null,
      },
      {
        registryReference: old.registryReference,
        issuingInsurer: { code: 'INS-ALPHA' },
        coverageStatus: 'EXPIRED',
        firstDay: PAST.effectiveDate,
        lastDay: PAST.expirationDate,
        registered: { plateNumber: before.plateNumber },
      },
    ]);
  });

  it('shows a cover that it was removed from as SUPERSEDED', async () => {
    const [leaving, staying] = [makePlainVehicle(), makePlainVehicle()];
    const { registryReference } = await registerAs(stack, 'INS-ALPHA', {
      vehicles: [leaving, staying],
    });
    const amended = await stack.post('alpha', `/ppai/policies/${registryReference}/amendments`, {
      externalTransactionId: uniqueNumber('AMEND'),
      reason: 'Sold',
      changes: { vehicles: { remove: [{ plateNumber: leaving.plateNumber }] } },
    });
    expect(amended.status).toBe(200);
    const { items } = await find(`plateNumber=${leaving.plateNumber}`);
    expect((await read(items[0]?.id)).covers).toMatchObject([
      { registryReference, coverageStatus: 'SUPERSEDED', removedInVersion: 2 },
    ]);
  });

  it('is NOT_FOUND under another id', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'ABC1234']) {
      expect(outcomeOf(await auditor.get(`${BASE}/${id}`))).toEqual(refused(404, 'NOT_FOUND'));
    }
  });
});
