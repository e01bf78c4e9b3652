import type { AuditItem } from '../../../../shared/contract/staff/audit.ts';
import type {
  TransmissionDetail,
  TransmissionItem,
} from '../../../../shared/contract/staff/records.ts';
import { makeBody, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { personalDataIn, registerAs } from '../../../env/staff/records.ts';
import { type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

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

async function transmissions(query: string): Promise<TransmissionItem[]> {
  const { status, envelope } = await auditor.get(`/admin/v1/transmissions?${query}`);
  expect(status).toBe(200);
  return envelope.data?.['items'] as TransmissionItem[];
}

const references = (items: readonly TransmissionItem[]) =>
  items.map(({ transmissionReference }) => transmissionReference);

describe('the search for transmissions', () => {
  it('filters by status, kind, organization, insurer, ids, numbers, error and time', async () => {
    const { body, transmissionReference, registryReference } = await registerAs(stack, 'INS-BRAVO');
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

  it('returns each transmission once over all pages, with the total', async () => {
    await registerAs(stack, 'INS-BRAVO');
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
  it('is shown with its acknowledgment, its attempts and its last error', async () => {
    const { transmissionReference, acknowledgment } = await registerAs(stack, 'INS-ALPHA');
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

  it('names the record if it is an amendment', async () => {
    const { registryReference } = await registerAs(stack, 'INS-ALPHA');
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

  it('is NOT_FOUND if it does not exist, and so is its body', async () => {
    for (const path of ['PPAI-TX-2026-999999999', 'PPAI-TX-2026-999999999/body']) {
      const { status, envelope } = await reviewer.get(`/admin/v1/transmissions/${path}`);
      expect([status, envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('a submitted body', () => {
  const bodyPath = (reference: string, form = '') =>
    `/admin/v1/transmissions/${reference}/body${form === '' ? '' : `?personalData=${form}`}`;

  async function listReads(reference: string): Promise<AuditItem[]> {
    const query = `action=PERSONAL_DATA_READ&targetType=TRANSMISSION&targetId=${reference}`;
    const { envelope } = await administrator.get(`/admin/v1/audit?${query}`);
    return envelope.data?.['items'] as AuditItem[];
  }

  it('is masked by default, and reading it masked leaves no audit entry', async () => {
    const { body, transmissionReference } = await registerAs(stack, 'INS-ALPHA');
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
      expect(personalDataIn(text)).toEqual([]);
    }
    expect(await listReads(transmissionReference)).toEqual([]);
  });

  it('is plain for a role with the permission, and each read is audited without the data', async () => {
    const { body, transmissionReference } = await registerAs(stack, 'INS-ALPHA');
    const { status, envelope } = await reviewer.get(bodyPath(transmissionReference, 'plain'));
    expect({ status, data: envelope.data }).toEqual({
      status: 200,
      data: { transmissionReference, kind: 'CREATE', personalData: 'plain', body },
    });
    const entries = await listReads(transmissionReference);
    expect(entries).toEqual([
      expect.objectContaining({
        actor: { kind: 'STAFF', id: reviewer.userId, email: reviewer.email, role: 'REVIEWER' },
        after: { read: ['operator.tin', 'operator.contactEmail', 'operator.contactPhone'] },
      }),
    ]);
    const text = JSON.stringify(entries);
    expect(personalDataIn(text)).toEqual([]);
  });

  it('is FORBIDDEN in plain for a role without the permission, and leaves no audit entry', async () => {
    const { transmissionReference } = await registerAs(stack, 'INS-ALPHA');
    const { status, envelope } = await auditor.get(bodyPath(transmissionReference, 'plain'));
    expect([status, envelope.error?.code]).toEqual([403, 'FORBIDDEN']);
    expect(await listReads(transmissionReference)).toEqual([]);
  });

  it('is masked in the changes of an amendment as well', async () => {
    const { registryReference } = await registerAs(stack, 'INS-ALPHA');
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
    expect(await listReads(reference)).toMatchObject([
      { after: { read: ['changes.operator.contactPhone'] } },
    ]);
  });

  it('has only these two forms', async () => {
    const { transmissionReference } = await registerAs(stack, 'INS-ALPHA');
    const { status, envelope } = await reviewer.get(bodyPath(transmissionReference, 'raw'));
    expect([status, envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
  });
});
