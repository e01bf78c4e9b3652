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

/** The members of every object in the opposite order. */
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

/** A body and the first answer to it. */
async function sent(changes: BodyChanges = {}) {
  const body = makeBody(changes);
  return { body, first: await stack.transmit('alpha', body) };
}

describe('an identical request (D5)', () => {
  it.each<[string, BodyChanges, string]>([
    ['ACCEPTED', {}, 'the same'],
    ['REJECTED', { operator: { name: null } }, 'the same, without an error'],
  ])('that is %s is answered again with 200, replayed, and %s', async (status, changes) => {
    const { body, first } = await sent(changes);
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
  });

  it.each<[string, (body: TransmissionBody) => string]>([
    ['indented', (body) => JSON.stringify(body, null, 4)],
    ['with its members in another order', (body) => JSON.stringify(reordered(body))],
    [
      'with escapes',
      (body) => JSON.stringify(body).replaceAll('/', '\\/').replaceAll('a', '\\u0061'),
    ],
    [
      'with another form of a number',
      (body) => JSON.stringify(body).replace('1250.5', '12.5050e2'),
    ],
  ])('is the same %s', async (_how, write) => {
    const { body } = await sent();
    const text = write(body);
    expect(text).not.toBe(JSON.stringify(body));
    const again = await stack.send('alpha', { path: POLICIES, body: text });
    expect([again.status, again.envelope.data?.['replayed']]).toEqual([200, true]);
  });

  it.each([
    ['known members alone', {}],
    ['a member that the schema does not know', { extra: { b: 1, a: 'é' } }],
  ])('is told by the hash of D5, with %s', async (_which, more) => {
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
    ['a null where there was nothing', (body) => ({ ...body, poolCode: null })],
    ['a member that the schema does not know', (body) => ({ ...body, extra: 1 })],
    ['another letter case', (body) => ({ ...body, issuingInsurerCode: 'ins-alpha' })],
    [
      'the vehicles in another order',
      (body) => ({ ...body, vehicles: body.vehicles.toReversed() }),
    ],
  ])('is another one with %s: 409 IDEMPOTENCY_KEY_REUSED', async (_what, change) => {
    const { vehicles } = makeBody();
    const { body, first } = await sent({ vehicles: [...vehicles, ...makeBody().vehicles] });
    const other = await stack.post('alpha', POLICIES, change(body));
    expect(other.status).toBe(409);
    expect(other.envelope.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(other.envelope.data).toEqual({
      transmissionReference: first.acknowledgment.transmissionReference,
      status: 'ACCEPTED',
    });
    expect(await count(body.externalTransactionId)).toBe(1);
  });

  it('of another organization is its own: the namespace is one per organization', async () => {
    const externalTransactionId = uniqueNumber('SHARED');
    const mine = await stack.transmit('alpha', makeBody({ externalTransactionId }));
    const theirs = await stack.transmit(
      'bravo',
      makeBody({ externalTransactionId, issuingInsurerCode: 'INS-BRAVO' }),
    );
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(await count(externalTransactionId)).toBe(2);
  });

  it('of another client of the same organization is the same', async () => {
    const { body } = await sent();
    expect((await stack.transmit('alpha-default-rate', body)).status).toBe(200);
  });

  it('may not reuse the id for an amendment or a cancellation: one namespace for all kinds', async () => {
    const { body, first } = await sent();
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

  it('is not recorded when the schema refuses it, and the id stays free (D6)', async () => {
    const body = makeBody();
    const broken = await stack.post('alpha', POLICIES, { ...body, vehicles: 'none' });
    expect(broken.status).toBe(422);
    expect(broken.envelope.data).toBeNull();
    expect(await count(body.externalTransactionId)).toBe(0);
    expect((await stack.transmit('alpha', body)).status).toBe(201);
  });
});

describe('40 simultaneous identical requests', () => {
  it('record one transmission and one record; the others are answered 409 or 200', async () => {
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

describe('a receipt whose commit was cut off and that was asked for again (D2)', () => {
  it('is answered with the outcome, where there is one by then, not with a head of it', async () => {
    const { roundTrips } = stack.api.context;
    const receive = roundTrips.receive;
    jest.spyOn(roundTrips, 'receive').mockImplementationOnce(async (received) => {
      const { id } = await receive(received);
      await roundTrips.wakeWorkers({ ...received, id });
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

  it('an identical request is 409 TRANSMISSION_IN_PROGRESS with Retry-After 30, another one IDEMPOTENCY_KEY_REUSED', async () => {
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
