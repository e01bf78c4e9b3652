import type { RecordSummary } from '../../../../shared/contract/machine/record.ts';
import type { TransmissionItem } from '../../../../shared/contract/staff/records.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { fieldsOf, listAll, listPage } from '../../../env/staff/lists.ts';
import { registerAs } from '../../../env/staff/records.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const DAY = today();
const DAY_MS = 86_400_000;

let stack: Stack;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  auditor = await signInAs(stack, 'AUDITOR');
});
afterAll(() => stack.stop());

async function transmissions(query: string): Promise<string[]> {
  const path = `/admin/v1/transmissions?limit=200&${query}`;
  const { items } = await listPage<TransmissionItem>(auditor, path);
  return items.map(({ transmissionReference }) => transmissionReference);
}

async function records(query: string): Promise<string[]> {
  const { items } = await listPage<RecordSummary>(auditor, `/admin/v1/records?${query}`);
  return items.map(({ registryReference }) => registryReference);
}

describe('transmissions', () => {
  it('are found by an identifier of any kind that a vehicle of their record has or had', async () => {
    const vehicle = makePlainVehicle();
    const { registryReference, transmissionReference } = await registerAs(stack, 'INS-ALPHA', {
      vehicles: [vehicle],
    });
    const renamed = makePlainVehicle().plateNumber ?? '';
    const { envelope } = await stack.post(
      'alpha',
      `/ppai/policies/${registryReference}/amendments`,
      {
        externalTransactionId: uniqueNumber('AMEND'),
        reason: 'New plate',
        changes: {
          vehicles: {
            update: [
              { match: { chassisNumber: vehicle.chassisNumber }, set: { plateNumber: renamed } },
            ],
          },
        },
      },
    );
    const both = [String(envelope.data?.['transmissionReference']), transmissionReference];
    for (const identifier of [vehicle.plateNumber, renamed.toLowerCase(), vehicle.engineNumber]) {
      expect(await transmissions(`identifier=${identifier}`)).toEqual(both);
    }
    expect(await transmissions('identifier=NOBODY1')).toEqual([]);
    expect(await transmissions(`identifier=${renamed}&kind=CREATE`)).toEqual([
      transmissionReference,
    ]);
  });

  it('are found by a finding, an error or a warning, within a few days', async () => {
    const { acknowledgment } = await stack.transmit('alpha', makeBody());
    const rejected = await stack.transmit('alpha', makeBody({ issuingInsurerCode: 'INS-NOBODY' }));
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const days = `receivedFrom=${at(-6 * DAY_MS)}&receivedTo=${at(DAY_MS / 2)}`;
    const warned = await transmissions(`findingCode=REFERENCE_DATA_UNAVAILABLE&${days}`);
    expect(warned).toContain(acknowledgment.transmissionReference);
    expect(await transmissions(`findingCode=UNKNOWN_INSURER&${days}`)).toEqual([
      rejected.acknowledgment.transmissionReference,
    ]);
    expect(await transmissions(`findingCode=NO_CHANGES&${days}`)).toEqual([]);
    const long = `receivedFrom=${at(-8 * DAY_MS)}&receivedTo=${at(0)}`;
    for (const query of ['', `receivedFrom=${at(-DAY_MS)}`, long]) {
      const answer = await auditor.get(`/admin/v1/transmissions?findingCode=NO_CHANGES&${query}`);
      expect(fieldsOf(answer)).toEqual(['findingCode']);
    }
  });

  it('are found by the client that sent them', async () => {
    const { acknowledgment } = await stack.transmit(
      'bravo',
      makeBody({ issuingInsurerCode: 'INS-BRAVO' }),
    );
    const { clientId } = stack.client('bravo');
    const { id } = await stack.api.context.db.apiClient.findUniqueOrThrow({ where: { clientId } });
    const found = await transmissions(`apiClientId=${id}`);
    expect(found).toContain(acknowledgment.transmissionReference);
    const alpha = await registerAs(stack, 'INS-ALPHA');
    expect(await transmissions(`apiClientId=${id}`)).not.toContain(alpha.transmissionReference);
  });

  it.each(['identifier=-', 'findingCode=GONE', 'apiClientId=alpha'])(
    'are not listed for ?%s',
    async (query) => {
      const answer = await auditor.get(`/admin/v1/transmissions?${query}`);
      expect(fieldsOf(answer)).toEqual([query.split('=')[0]]);
    },
  );
});

describe('records', () => {
  it('are found by the days on which they begin and end', async () => {
    const region = 'BARMM';
    const certificate = (from: number, to: number) => ({
      certificate: { effectiveDate: addDays(DAY, from), expirationDate: addDays(DAY, to) },
      operator: { region },
    });
    const early = await registerAs(stack, 'INS-ALPHA', certificate(-30, 100));
    const late = await registerAs(stack, 'INS-ALPHA', certificate(10, 200));
    const [first, second] = [early.registryReference, late.registryReference];
    const find = (query: string) => records(`region=${region}&${query}`);
    expect(await find(`effectiveFrom=${addDays(DAY, 10)}`)).toEqual([second]);
    expect(await find(`effectiveTo=${addDays(DAY, -30)}`)).toEqual([first]);
    expect(await find(`effectiveFrom=${addDays(DAY, -30)}&effectiveTo=${addDays(DAY, 9)}`)).toEqual(
      [first],
    );
    expect(await find(`expirationFrom=${addDays(DAY, 101)}`)).toEqual([second]);
    expect(await find(`expirationTo=${addDays(DAY, 100)}`)).toEqual([first]);
    expect(await find(`expirationTo=${addDays(DAY, 99)}`)).toEqual([]);
    const answer = await auditor.get('/admin/v1/records?effectiveFrom=2026-02-30');
    expect(fieldsOf(answer)).toEqual(['effectiveFrom']);
  });

  it('are listed oldest first over the pages on request', async () => {
    const region = 'MIMAROPA';
    const references: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { registryReference } = await registerAs(stack, 'INS-ALPHA', { operator: { region } });
      references.push(registryReference);
    }
    const path = `/admin/v1/records?region=${region}`;
    const oldest = await listAll<RecordSummary>(auditor, `${path}&order=oldest`);
    expect(oldest.map(({ registryReference }) => registryReference)).toEqual(references);
    const newest = await listAll<RecordSummary>(auditor, path);
    expect(newest.map(({ registryReference }) => registryReference)).toEqual(references.reverse());
  });
});
