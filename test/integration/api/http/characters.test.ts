import type { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import { makeBody, makePlainVehicle, today, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { registerOn } from '../../worker/registered-certificate.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** A body with one more member at a path such as `operator.name` or `vehicles[0].make`. */
function withMember(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>;
  const parts = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const last = parts.pop() ?? '';
  const holder = parts.reduce<Record<string, unknown>>(
    (at, part) => at[part] as Record<string, unknown>,
    copy,
  );
  holder[last] = value;
  return copy;
}

async function refusalOf(body: object): Promise<unknown> {
  const { status, envelope } = await stack.post('alpha', '/ppai/policies', body);
  const { externalTransactionId } = body as { externalTransactionId: string };
  const lookup = await stack.get('alpha', `/ppai/transmissions/${externalTransactionId}`);
  return {
    status,
    data: envelope.data,
    found: envelope.error?.details?.map(({ code, field, message }) => [code, field, message]),
    isRecorded: lookup.status === 200,
  };
}

const refused = (field: string, message: string) => ({
  status: 422,
  data: null,
  found: [['INVALID_FORMAT', field, message]],
  isRecorded: false,
});

describe('a transmission (D31)', () => {
  it.each([
    ['operator.name', 'Juan\u0007', 'The character U+0007 is not accepted here.'],
    ['operator.name', '\u001b[31mJuan', 'The character U+001B is not accepted here.'],
    ['operator.name', 'nauJ\u202e', 'The character U+202E is not accepted here.'],
    ['operator.name', 'Juan\nCruz', 'The character U+000A is not accepted here.'],
    ['operator.name', '\u200b\u200b', 'At least one visible character is needed.'],
    ['operator.businessName', 'A\u2067B', 'The character U+2067 is not accepted here.'],
    ['operator.address', 'Rizal\u0000St', 'The character U+0000 is not accepted.'],
    ['operator.address', 'Rizal\u009fSt', 'The character U+009F is not accepted here.'],
    ['policy.remarks', 'a\u000bb', 'The character U+000B is not accepted here.'],
    ['policy.policyNumber', 'P-1\t', 'The character U+0009 is not accepted here.'],
    ['certificate.cocNumber', '\u2063', 'At least one visible character is needed.'],
    ['certificate.effectiveDate', '\u202d', 'The character U+202D is not accepted here.'],
    ['vehicles[0].plateNumber', 'AB\tC123', 'The character U+0009 is not accepted here.'],
    ['vehicles[0].make', 'Isu\u0085zu', 'The character U+0085 is not accepted here.'],
    ['issuingInsurerCode', 'INS-ALPHA\r', 'The character U+000D is not accepted here.'],
    ['poolCode', '\u206a\u2068', 'The character U+2068 is not accepted here.'],
    [
      'operator.name',
      '\ufdfa'.repeat(255),
      'At most 255 characters, also after Unicode normalization (NFKC).',
    ],
    [
      'vehicles[0].route',
      '\ufdfa'.repeat(28),
      'At most 500 characters, also after Unicode normalization (NFKC).',
    ],
  ])('fails the schema and is not recorded: %s is %j', async (path, value, message) => {
    const body = withMember(makeBody(), path, value);
    expect(await refusalOf(body)).toEqual(refused(path, message));
  });

  it('may contain tabs and line breaks in remarks and addresses, and joiners in a name', async () => {
    const { registryReference } = await registerOn(stack, 'alpha', {
      policy: { remarks: 'Paid:\r\n\t1. yes\n' },
      operator: { address: '12 Rizal Street\nQuezon City', name: 'क\u094d\u200dष 👩\u200d🔧' },
    });
    const { envelope } = await stack.get('alpha', `/ppai/policies/${registryReference}`);
    expect(envelope.data).toMatchObject({
      policy: { remarks: 'Paid:\r\n\t1. yes' },
      operator: { address: '12 Rizal Street\nQuezon City', name: 'क\u094d\u200dष 👩\u200d🔧' },
    });
  });

  it('with an empty required text is rejected and recorded, as without that text (D7)', async () => {
    const body = makeBody({ operator: { name: ' \u00a0\u3000' } });
    const { findings, acknowledgment } = await stack.transmit('alpha', body);
    expect(acknowledgment.status).toBe('REJECTED');
    expect(findings.map(({ code, field }) => [code, field])).toContainEqual([
      'REQUIRED',
      'operator.name',
    ]);
  });
});

describe('a change of a record', () => {
  const change = (reference: string, operation: string, body: object) =>
    stack.post('alpha', `/ppai/policies/${reference}/${operation}`, {
      externalTransactionId: uniqueNumber('CHG'),
      ...body,
    });

  it.each([
    ['reason', { reason: 'b\u0007', changes: { policy: { remarks: 'x' } } }],
    ['reason', { reason: '\u2060', changes: { policy: { remarks: 'x' } } }],
    ['reason', { reason: '\ufdfa'.repeat(60), changes: { policy: { remarks: 'x' } } }],
    ['changes.operator.name', { reason: 'r', changes: { operator: { name: '\u200b' } } }],
    ['changes.poolCode', { reason: 'r', changes: { poolCode: 'P\u202e' } }],
    [
      'changes.vehicles.add[0].model',
      { reason: 'r', changes: { vehicles: { add: [{ model: 'a\u001bb' }] } } },
    ],
    [
      'changes.vehicles.update[0].match.plateNumber',
      {
        reason: 'r',
        changes: { vehicles: { update: [{ match: { plateNumber: 'A\t' }, set: {} }] } },
      },
    ],
  ])('fails the schema for %s', async (field, body) => {
    const { registryReference } = await registerOn(stack, 'alpha');
    const { status, envelope } = await change(registryReference, 'amendments', body);
    expect(status).toBe(422);
    expect(envelope.error?.details?.map((one) => [one.code, one.field])).toEqual([
      ['INVALID_FORMAT', field],
    ]);
  });

  it('stores its reason in normal form, with its line breaks (D7)', async () => {
    const { registryReference } = await registerOn(stack, 'alpha');
    await change(registryReference, 'amendments', {
      reason: ' \uff21s asked\n\tby phone ',
      changes: { policy: { remarks: 'x' } },
    });
    const { envelope } = await stack.get('alpha', `/ppai/policies/${registryReference}`);
    expect(envelope.data).toMatchObject({ amendments: [{ reason: 'As asked\n\tby phone' }] });
  });

  const cancellation = {
    cancellationEffectiveDate: today(),
    reasonCode: 'OTHER',
    reasonText: 'Sold',
  };

  it.each([
    ['policyNumber', { policyNumber: 'P\u0007' }],
    ['cocNumber', { cocNumber: 'C\u202e' }],
    ['reasonText', { reasonText: 'a\u2066' }],
    ['supportingReference', { supportingReference: 'a\nb' }],
    ['reasonCode', { reasonCode: 'OTHER\t' }],
  ])('fails the schema for %s if it is a cancellation', async (field, member) => {
    const { body, registryReference } = await registerOn(stack, 'alpha');
    const { status, envelope } = await change(registryReference, 'cancellation', {
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      ...cancellation,
      ...member,
    });
    expect({ status, data: envelope.data }).toEqual({ status: 422, data: null });
    expect(envelope.error?.details?.map((one) => [one.code, one.field])).toEqual([
      ['INVALID_FORMAT', field],
    ]);
  });

  it('is accepted for a record with texts of an earlier release, and keeps them', async () => {
    const { body, registryReference } = await registerOn(stack, 'alpha');
    const oldNumber = `${body.policy.policyNumber}\u202e\u0007`;
    await storeOldTexts(registryReference, { policyNumber: oldNumber, remarks: 'old \u001b text' });
    const amended = await change(registryReference, 'amendments', {
      reason: 'Another vehicle',
      changes: { vehicles: { add: [makePlainVehicle()] } },
    });
    expect([amended.status, (amended.envelope.data as unknown as Acknowledgment).version]).toEqual([
      200, 2,
    ]);
    const { envelope } = await stack.get('alpha', `/ppai/policies/${registryReference}`);
    expect(envelope.data).toMatchObject({ policy: { remarks: 'old \u001b text' } });
    const cancel = (policyNumber: unknown) =>
      change(registryReference, 'cancellation', {
        policyNumber,
        cocNumber: body.certificate.cocNumber,
        ...cancellation,
      });
    expect((await cancel(`${oldNumber}\u0007`)).envelope.data).toBeNull();
    expect((await cancel(envelope.data?.['policyNumber'])).status).toBe(200);
  });
});

/** Gives a record texts that only an earlier release accepted. */
async function storeOldTexts(
  registryReference: string,
  policy: { readonly policyNumber: string; readonly remarks: string },
): Promise<void> {
  const { db, keyring } = stack.api.context;
  const [version] = await db.$queryRaw<{ id: string; policy: string; sealed: Uint8Array }[]>`
    SELECT c.id, c.policy_id AS policy, v.snapshot_sealed AS sealed
    FROM certificates c JOIN certificate_versions v ON v.certificate_id = c.id
    WHERE c.registry_reference = ${registryReference}`;
  const { id = '', policy: policyId = '', sealed = Buffer.of() } = version ?? {};
  const place = `${id}/1`;
  const snapshot = JSON.parse(keyring.open(Buffer.from(sealed), place).toString());
  Object.assign(snapshot.policy, policy);
  await db.$executeRaw`
    UPDATE certificate_versions SET snapshot_sealed = ${keyring.seal(JSON.stringify(snapshot), place)}
    WHERE certificate_id = ${id}::uuid`;
  await db.$executeRaw`
    UPDATE policies SET policy_number = ${policy.policyNumber}, remarks = ${policy.remarks}
    WHERE id = ${policyId}::uuid`;
}

describe('a text in a path or query', () => {
  it.each([
    ['/ppai/vehicles/T00%0900001/coverage', 404],
    ['/ppai/vehicles/%E2%80%AET1/coverage', 404],
    ['/ppai/policies/PPAI-2026-000000001%0A', 404],
    ['/ppai/transmissions/abc%C2%85defgh', 404],
    ['/ppai/policies/search?policyNumber=P%07', 422],
    ['/ppai/policies/search?plateNumber=A%091', 422],
    ['/ppai/policies/search?cocNumber=%E2%81%A7C1', 422],
    [`/ppai/policies/search?policyNumber=${encodeURIComponent('\ufdfa'.repeat(4))}`, 422],
  ])('must follow the same rules: %s', async (path, status) => {
    expect((await stack.get('alpha', path)).status).toBe(status);
  });
});
