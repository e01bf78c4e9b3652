import type { RecordDetail, RecordSummary } from '../../../shared/contract/machine/record.ts';
import type { AuditItem } from '../../../shared/contract/staff/audit.ts';
import type {
  TransmissionDetail,
  TransmissionItem,
} from '../../../shared/contract/staff/records.ts';
import { makeBody, makePlainVehicle, makeVehicle, uniqueNumber } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { listAll } from '../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../env/staff/staff.ts';

let stack: Stack;
let reviewer: StaffBrowser;
let auditor: StaffBrowser;
let administrator: StaffBrowser;
beforeAll(async () => {
  stack = await startStack();
  reviewer = await signInAs(stack, 'REVIEWER');
  auditor = await signInAs(stack, 'AUDITOR');
  administrator = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

const PERSONAL = ['123-456-789', 'maria.santos', '917 555'];

async function register(code = 'INS-ALPHA', changes: Parameters<typeof makeBody>[0] = {}) {
  const body = makeBody({ issuingInsurerCode: code, ...changes });
  const client = code === 'INS-BRAVO' ? 'bravo' : 'alpha';
  const { acknowledgment } = await stack.transmit(client, body);
  const { registryReference, transmissionReference } = acknowledgment;
  return {
    body,
    acknowledgment,
    transmissionReference,
    registryReference: registryReference ?? '',
  };
}

async function records(query: string): Promise<string[]> {
  const { status, envelope } = await auditor.get(`/admin/v1/records?${query}`);
  expect(status).toBe(200);
  const items = envelope.data?.['items'] as RecordSummary[];
  return items.map(({ registryReference }) => registryReference);
}

async function transmissions(query: string): Promise<TransmissionItem[]> {
  const { status, envelope } = await auditor.get(`/admin/v1/transmissions?${query}`);
  expect(status).toBe(200);
  return envelope.data?.['items'] as TransmissionItem[];
}

const references = (items: readonly TransmissionItem[]) =>
  items.map(({ transmissionReference }) => transmissionReference);

describe('the search for records', () => {
  it('finds those of all organizations, the newest first', async () => {
    const [alpha, bravo] = [await register(), await register('INS-BRAVO')];
    expect(await records('limit=2')).toEqual([bravo.registryReference, alpha.registryReference]);
    expect(await records('insurerCode=INS-BRAVO')).toEqual([bravo.registryReference]);
    expect(await records('transmitterCode=INS-BRAVO&limit=1')).toEqual([bravo.registryReference]);
  });

  it('finds by normalized identifiers and by numbers', async () => {
    const vehicle = makePlainVehicle();
    const { body, registryReference } = await register('INS-ALPHA', { vehicles: [vehicle] });
    const spaced = `${vehicle.plateNumber?.slice(0, 3)}%20${vehicle.plateNumber?.slice(3)}`;
    for (const query of [
      `plateNumber=${spaced.toLowerCase()}`,
      `engineNumber=${vehicle.engineNumber}&chassisNumber=${vehicle.chassisNumber}`,
      `policyNumber=${body.policy.policyNumber}`,
      `cocNumber=${body.certificate.cocNumber}&mvFileNumber=${vehicle.mvFileNumber}`,
    ]) {
      expect(await records(query)).toEqual([registryReference]);
    }
    expect(await records('plateNumber=ZZZ9999')).toEqual([]);
  });

  it('filters by status, lifecycle, region, pool, open flags and time', async () => {
    const plain = await register('INS-ALPHA', { operator: { region: 'IV-A' } });
    const pooled = await register('INS-ALPHA', {
      poolCode: 'POOL-NORTH',
      operator: { region: 'IV-A' },
      vehicles: [makeVehicle()],
    });
    expect(await records('region=IV-A')).toEqual([
      pooled.registryReference,
      plain.registryReference,
    ]);
    expect(await records('region=IV-A&poolCode=POOL-NORTH')).toEqual([pooled.registryReference]);
    expect(await records('region=IV-A&hasOpenFlags=true')).toEqual([pooled.registryReference]);
    expect(await records('region=IV-A&hasOpenFlags=false')).toEqual([plain.registryReference]);
    expect(await records('region=IV-A&status=ACTIVE&lifecycle=CURRENT')).toHaveLength(2);
    expect(await records('region=IV-A&status=EXPIRED')).toEqual([]);
    expect(await records('region=IV-A&lifecycle=CANCELLED')).toEqual([]);
    expect(await records('region=IV-A&registeredTo=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await records('region=IV-A&registeredFrom=2020-01-01T00:00:00Z')).toHaveLength(2);
  });

  it('comes page by page, each once, with the total', async () => {
    for (let count = 0; count < 3; count += 1) {
      await register('INS-ALPHA', { operator: { region: 'X' } });
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { envelope } = await auditor.get(`/admin/v1/records?region=X&limit=2${next}`);
      expect(envelope.data?.['total']).toBe(3);
      const items = envelope.data?.['items'] as RecordSummary[];
      seen.push(...items.map(({ registryReference }) => registryReference));
      cursor = envelope.data?.['nextCursor'] as string | null;
    }
    expect(seen).toEqual(await records('region=X'));
    expect(seen).toHaveLength(3);
  });

  it('refuses a criterion of which nothing is left, a filter it does not know and a foreign cursor', async () => {
    for (const query of ['plateNumber=--', 'colour=red', 'cursor=abc', 'region=NOWHERE']) {
      const { status, envelope } = await auditor.get(`/admin/v1/records?${query}`);
      expect([query, status, envelope.error?.code]).toEqual([query, 422, 'VALIDATION_FAILED']);
    }
  });
});

describe('a record', () => {
  it('is read whole, whoever transmitted it, with personal data masked', async () => {
    const { registryReference } = await register('INS-BRAVO');
    const { status, envelope, text } = await auditor.get(`/admin/v1/records/${registryReference}`);
    expect(status).toBe(200);
    expect(envelope.data).toMatchObject({ registryReference, versions: [{ version: 1 }] });
    expect(PERSONAL.filter((value) => text.includes(value))).toEqual([]);
  });

  it('has its history page by page, masked, with references that staff can follow (D33)', async () => {
    const { registryReference } = await register('INS-BRAVO', { vehicles: [makeVehicle()] });
    for (let version = 2; version <= 12; version += 1) {
      const answer = await stack.post('bravo', `/ppai/policies/${registryReference}/amendments`, {
        externalTransactionId: uniqueNumber('AMEND'),
        reason: 'Another address',
        changes: { operator: { address: `${version} Rizal Street` } },
      });
      expect(answer.status).toBe(200);
    }
    const path = `/admin/v1/records/${registryReference}`;
    const { envelope } = await auditor.get(path);
    const { versions, vehicles, flags, transmissions } = envelope.data as unknown as RecordDetail;
    const href = `${path}/versions/1`;
    expect(versions[0]?.snapshot).toEqual({ omitted: true, href });
    const first = await auditor.get(href);
    expect(first.envelope.data).toMatchObject({
      version: 1,
      snapshot: { operator: { contactEmailMasked: 'm***@example.org' } },
    });
    expect(PERSONAL.filter((value) => first.text.includes(value))).toEqual([]);
    expect(await listAll(auditor, `${path}/vehicles`)).toEqual(vehicles);
    expect(await listAll(auditor, `${path}/flags`)).toEqual(flags);
    expect(await listAll(auditor, `${path}/transmissions`)).toEqual(transmissions.toReversed());
    expect(await listAll(auditor, `${path}/amendments/12/diff`)).toEqual([
      { path: 'operator.address', before: '11 Rizal Street', after: '12 Rizal Street' },
    ]);
    expect(await listAll(auditor, `${path}/amendments`)).toHaveLength(11);
    expect(await listAll(auditor, `${path}/versions/12/vehicles`)).toHaveLength(1);
  });

  it.each(['', '/versions', '/versions/1', '/vehicles', '/transmissions', '/flags'])(
    'that does not exist is NOT_FOUND: %s',
    async (part) => {
      const { status, envelope } = await auditor.get(
        `/admin/v1/records/PPAI-2026-999999999${part}`,
      );
      expect([status, envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    },
  );
});

describe('the search for transmissions', () => {
  it('filters by status, kind, organization, insurer, ids, numbers, error and time', async () => {
    const { body, transmissionReference, registryReference } = await register('INS-BRAVO');
    const rejected = await stack.transmit('bravo', { ...makeBody(), vehicles: [] });
    const reference = rejected.acknowledgment.transmissionReference;
    const all = await transmissions('organizationCode=INS-BRAVO&limit=2');
    expect(references(all)).toEqual([reference, transmissionReference]);
    for (const query of [
      `externalTransactionId=${body.externalTransactionId}`,
      `registryReference=${registryReference}`,
      `policyNumber=${body.policy.policyNumber}&cocNumber=${body.certificate.cocNumber}`,
      'status=ACCEPTED&kind=CREATE&channel=API&insurerCode=INS-BRAVO&limit=1',
    ]) {
      expect([query, references(await transmissions(query))]).toEqual([
        query,
        [transmissionReference],
      ]);
    }
    const refused = 'organizationCode=INS-BRAVO&status=REJECTED&errorCode=VALIDATION_FAILED';
    expect(references(await transmissions(refused))).toEqual([reference]);
    expect(await transmissions('parked=true')).toEqual([]);
    expect(await transmissions('kind=CANCEL&parked=false')).toEqual([]);
    expect(await transmissions('receivedTo=2020-01-01T00:00:00Z')).toEqual([]);
  });

  it('comes page by page, each once, with the total', async () => {
    await register('INS-BRAVO');
    const all = references(await transmissions('organizationCode=INS-BRAVO'));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const path = `/admin/v1/transmissions?organizationCode=INS-BRAVO&limit=1${next}`;
      const { envelope } = await auditor.get(path);
      expect(envelope.data?.['total']).toBe(all.length);
      seen.push(...references(envelope.data?.['items'] as TransmissionItem[]));
      cursor = envelope.data?.['nextCursor'] as string | null;
    }
    expect(seen).toEqual(all);
  });
});

describe('a transmission', () => {
  it('is read with its acknowledgment, its attempts and its last error', async () => {
    const { transmissionReference, acknowledgment } = await register();
    const { status, envelope } = await auditor.get(
      `/admin/v1/transmissions/${transmissionReference}`,
    );
    expect(status).toBe(200);
    expect(envelope.data as unknown as TransmissionDetail).toMatchObject({
      transmissionReference,
      status: 'ACCEPTED',
      acknowledgment,
      attempts: 1,
      failures: 0,
      lastError: null,
      parkedAt: null,
      dueAt: null,
      apiClient: { clientId: stack.client('alpha').clientId, name: 'alpha' },
      targetRegistryReference: null,
    });
  });

  it('of an amendment names the record it is about', async () => {
    const { registryReference } = await register();
    const externalTransactionId = uniqueNumber('AMEND');
    const amended = await stack.post('alpha', `/ppai/policies/${registryReference}/amendments`, {
      externalTransactionId,
      reason: 'Asked for',
      changes: { policy: { remarks: 'Other' } },
    });
    const reference = String(amended.envelope.data?.['transmissionReference']);
    const { envelope } = await auditor.get(`/admin/v1/transmissions/${reference}`);
    expect(envelope.data).toMatchObject({
      kind: 'AMEND',
      externalTransactionId,
      targetRegistryReference: registryReference,
    });
  });

  it('that does not exist is NOT_FOUND, its body too', async () => {
    for (const path of ['PPAI-TX-2026-999999999', 'PPAI-TX-2026-999999999/body']) {
      const { status, envelope } = await reviewer.get(`/admin/v1/transmissions/${path}`);
      expect([status, envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('a submitted body', () => {
  const bodyPath = (reference: string, form = '') =>
    `/admin/v1/transmissions/${reference}/body${form === '' ? '' : `?personalData=${form}`}`;

  async function readings(reference: string): Promise<AuditItem[]> {
    const query = `action=PERSONAL_DATA_READ&targetType=TRANSMISSION&targetId=${reference}`;
    const { envelope } = await administrator.get(`/admin/v1/audit?${query}`);
    return envelope.data?.['items'] as AuditItem[];
  }

  it('is masked unless plain is asked for, and that leaves no entry', async () => {
    const { body, transmissionReference } = await register();
    for (const browser of [auditor, reviewer]) {
      const { status, envelope, text } = await browser.get(bodyPath(transmissionReference));
      expect(status).toBe(200);
      expect(envelope.data).toMatchObject({
        transmissionReference,
        kind: 'CREATE',
        personalData: 'masked',
        body: {
          externalTransactionId: body.externalTransactionId,
          policy: body.policy,
          operator: {
            name: body.operator.name,
            tin: '************000',
            contactEmail: 'm***@example.org',
            contactPhone: '********0142',
          },
        },
      });
      expect(PERSONAL.filter((value) => text.includes(value))).toEqual([]);
    }
    expect(await readings(transmissionReference)).toEqual([]);
  });

  it('is plain for a role that may, and each reading is audited without the data', async () => {
    const { body, transmissionReference } = await register();
    const { status, envelope } = await reviewer.get(bodyPath(transmissionReference, 'plain'));
    expect({ status, data: envelope.data }).toEqual({
      status: 200,
      data: { transmissionReference, kind: 'CREATE', personalData: 'plain', body },
    });
    const entries = await readings(transmissionReference);
    expect(entries).toEqual([
      expect.objectContaining({
        actor: { kind: 'STAFF', id: reviewer.userId, email: reviewer.email, role: 'REVIEWER' },
        after: { read: ['operator.tin', 'operator.contactEmail', 'operator.contactPhone'] },
      }),
    ]);
    const text = JSON.stringify(entries);
    expect(PERSONAL.filter((value) => text.includes(value))).toEqual([]);
  });

  it('is refused plain to a role that may not: FORBIDDEN, and no entry', async () => {
    const { transmissionReference } = await register();
    const { status, envelope } = await auditor.get(bodyPath(transmissionReference, 'plain'));
    expect([status, envelope.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(await readings(transmissionReference)).toEqual([]);
  });

  it('is masked in the changes of an amendment, too', async () => {
    const { registryReference } = await register();
    const amended = await stack.post('alpha', `/ppai/policies/${registryReference}/amendments`, {
      externalTransactionId: uniqueNumber('AMEND'),
      reason: 'New telephone',
      changes: { operator: { contactPhone: '+63 917 555 0199' } },
    });
    const reference = String(amended.envelope.data?.['transmissionReference']);
    const { envelope, text } = await auditor.get(bodyPath(reference));
    expect(envelope.data).toMatchObject({
      kind: 'AMEND',
      body: { changes: { operator: { contactPhone: '********0199' } } },
    });
    expect(text).not.toContain('555');
    const plain = await reviewer.get(bodyPath(reference, 'plain'));
    expect(plain.text).toContain('+63 917 555 0199');
    expect(await readings(reference)).toMatchObject([
      { after: { read: ['changes.operator.contactPhone'] } },
    ]);
  });

  it('knows no other form', async () => {
    const { transmissionReference } = await register();
    const { status, envelope } = await reviewer.get(bodyPath(transmissionReference, 'raw'));
    expect([status, envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
  });
});
