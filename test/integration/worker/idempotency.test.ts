import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { type BodyChanges, makeBody, uniqueNumber } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const POLICIES = '/ppai/policies';

/** The same value with the members of every object in reverse order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reordered(member)]),
  );
}

async function count(externalTransactionId: string): Promise<number> {
  return stack.api.context.db.transmission.count({ where: { externalTransactionId } });
}

/** Transmits a new body. Returns it with the first answer. */
async function transmitNew(changes: BodyChanges = {}) {
  const body = makeBody(changes);
  return { body, first: await stack.transmit('alpha', body) };
}

describe('an identical request (D5)', () => {
  it.each<[string, BodyChanges]>([
    ['ACCEPTED', {}],
    ['REJECTED', { operator: { name: null } }],
  ])(
    'gets the %s acknowledgment again, with 200 and marked as replayed',
    async (status, changes) => {
      const { body, first } = await transmitNew(changes);
      const { acknowledgment } = first;
      expect(acknowledgment.status).toBe(status);
      const again = await stack.post('alpha', POLICIES, body);
      expect(again.status).toBe(200);
      expect(again.envelope).toEqual({
        success: true,
        data: { ...acknowledgment, replayed: true },
        error: null,
      });
      expect(await count(body.externalTransactionId)).toBe(1);
    },
  );

  it.each<[string, (body: TransmissionBody) => string]>([
    ['indented', (body) => JSON.stringify(body, null, 4)],
    ['written with its members in another order', (body) => JSON.stringify(reordered(body))],
    [
      'written with escapes',
      (body) => JSON.stringify(body).replaceAll('/', '\\/').replaceAll('a', '\\u0061'),
    ],
    [
      'written with a number in another form',
      (body) => JSON.stringify(body).replace('1250.5', '12.5050e2'),
    ],
  ])('is still identical when %s', async (_how, write) => {
    const { body } = await transmitNew();
    const text = write(body);
    expect(text).not.toBe(JSON.stringify(body));
    const again = await stack.send('alpha', { path: POLICIES, body: text });
    expect([again.status, again.envelope.data?.['replayed']]).toEqual([200, true]);
  });

  it.each([
    ['known members only', {}],
    ['an unknown member', { extra: { b: 1, a: 'é' } }],
  ])('is recognized by the hash of D5, with %s', async (_which, more) => {
    const body = { ...makeBody(), ...more };
    await stack.transmit('alpha', body);
    const { requestHash } = await stack.api.context.db.transmission.findFirstOrThrow({
      where: { externalTransactionId: body.externalTransactionId },
    });
    const canonical = canonicalize({ operation: 'CREATE', target: null, body });
    const hash = createHash('sha256').update(canonical ?? '');
    expect(Buffer.from(requestHash).toString('hex')).toBe(hash.digest('hex'));
  });

  it.each<[string, (body: TransmissionBody) => object]>([
    ['another value', (body) => ({ ...body, poolCode: 'POOL-NORTH' })],
    ['a null for an absent member', (body) => ({ ...body, poolCode: null })],
    ['an unknown member', (body) => ({ ...body, extra: 1 })],
    ['another letter case', (body) => ({ ...body, issuingInsurerCode: 'ins-alpha' })],
    [
      'the vehicles in another order',
      (body) => ({ ...body, vehicles: body.vehicles.toReversed() }),
    ],
  ])('is not identical with %s: 409 IDEMPOTENCY_KEY_REUSED', async (_what, change) => {
    const { vehicles } = makeBody();
    const { body, first } = await transmitNew({ vehicles: [...vehicles, ...makeBody().vehicles] });
    const other = await stack.post('alpha', POLICIES, change(body));
    expect(other.status).toBe(409);
    expect(other.envelope.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(other.envelope.data).toEqual({
      transmissionReference: first.acknowledgment.transmissionReference,
      status: 'ACCEPTED',
    });
    expect(await count(body.externalTransactionId)).toBe(1);
  });

  it('of another organization is new: each organization has its own namespace', async () => {
    const externalTransactionId = uniqueNumber('SHARED');
    const mine = await stack.transmit('alpha', makeBody({ externalTransactionId }));
    const theirs = await stack.transmit(
      'bravo',
      makeBody({ externalTransactionId, issuingInsurerCode: 'INS-BRAVO' }),
    );
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(await count(externalTransactionId)).toBe(2);
  });

  it('of another client of the same organization is a replay', async () => {
    const { body } = await transmitNew();
    expect((await stack.transmit('alpha-default-rate', body)).status).toBe(200);
  });

  it('shares one namespace with amendments and cancellations, which may not reuse its id', async () => {
    const { body, first } = await transmitNew();
    const { externalTransactionId } = body;
    const path = `${POLICIES}/${first.acknowledgment.registryReference}`;
    const amendment = await stack.post('alpha', `${path}/amendments`, {
      externalTransactionId,
      reason: 'Asked',
      changes: { operator: { name: 'Pedro' } },
    });
    const cancellation = await stack.post('alpha', `${path}/cancellation`, {
      externalTransactionId,
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      cancellationEffectiveDate: body.policy.issuanceDate,
      reasonCode: 'OTHER',
      reasonText: 'Asked',
    });
    for (const { status, envelope } of [amendment, cancellation]) {
      expect([status, envelope.error?.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    }
  });

  it('is new if the schema refused the first one, which is not recorded (D6)', async () => {
    const body = makeBody();
    const broken = await stack.post('alpha', POLICIES, { ...body, vehicles: 'none' });
    expect(broken.status).toBe(422);
    expect(broken.envelope.data).toBeNull();
    expect(await count(body.externalTransactionId)).toBe(0);
    expect((await stack.transmit('alpha', body)).status).toBe(201);
  });
});

describe('40 simultaneous identical requests', () => {
  it('create one transmission and one record; all others get 409 or 200', async () => {
    const body = makeBody();
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => stack.post('alpha', POLICIES, body)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    const references = answers.map(({ envelope }) => envelope.data?.['transmissionReference']);
    expect(new Set(references).size).toBe(1);
    for (const { status, envelope } of answers) {
      if (status === 409) expect(envelope.error?.code).toBe('TRANSMISSION_IN_PROGRESS');
    }
    expect(await count(body.externalTransactionId)).toBe(1);
    const certificates = await stack.api.context.db.certificate.count({
      where: { cocNumber: body.certificate.cocNumber ?? '' },
    });
    expect(certificates).toBe(1);
  });
});

describe('a receipt that is repeated because its commit was cut off (D2)', () => {
  it('gets the whole acknowledgment if the transmission is terminal by then', async () => {
    const { loaders } = stack.api.context;
    const receive = loaders.receive;
    jest.spyOn(loaders, 'receive').mockImplementationOnce(async (received) => {
      const { id } = await receive(received);
      await loaders.wakeWorkers({ ...received, id });
      await stack.untilTerminal(received.externalTransactionId);
      return receive(received);
    });
    const body = makeBody();
    const first = await stack.post('alpha', POLICIES, body, 'respond-async');
    const again = await stack.post('alpha', POLICIES, body);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(first.envelope.data).toMatchObject({ status: 'ACCEPTED', version: 1 });
    expect(again.envelope.data).toEqual({ ...first.envelope.data, replayed: true });
  });
});

describe('while workers are stopped', () => {
  beforeAll(() => stack.stopWorkers());
  afterAll(() => stack.addWorker());

  it('an identical request gets TRANSMISSION_IN_PROGRESS with Retry-After 30, a different one IDEMPOTENCY_KEY_REUSED', async () => {
    const body = makeBody();
    const received = await stack.post('alpha', POLICIES, body, 'respond-async');
    expect(received.status).toBe(202);
    const again = await stack.post('alpha', POLICIES, body);
    expect(again.status).toBe(409);
    expect(again.headers['retry-after']).toBe('30');
    expect(again.envelope).toMatchObject({
      success: false,
      data: {
        transmissionReference: received.envelope.data?.['transmissionReference'],
        status: 'RECEIVED',
      },
      error: { code: 'TRANSMISSION_IN_PROGRESS' },
    });
    const other = await stack.post('alpha', POLICIES, { ...body, poolCode: 'POOL-NORTH' });
    expect([other.status, other.envelope.error?.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect(other.envelope.data).toMatchObject({ status: 'RECEIVED' });
  });

  it('a VALIDATING transmission is in progress too', async () => {
    const body = makeBody();
    await stack.post('alpha', POLICIES, body, 'respond-async');
    await stack.api.context.db.transmission.updateMany({
      where: { externalTransactionId: body.externalTransactionId },
      data: { status: 'VALIDATING' },
    });
    const again = await stack.post('alpha', POLICIES, body);
    expect(again.envelope).toMatchObject({
      data: { status: 'VALIDATING' },
      error: { code: 'TRANSMISSION_IN_PROGRESS' },
    });
  });
});
