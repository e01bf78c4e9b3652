import { Acknowledgment } from '../../../../shared/contract/machine/acknowledgment.ts';
import { API_BASE } from '../../../../shared/contract/machine/endpoints.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, environment: { TRANSMIT_WAIT_SECONDS: '1' } });
});
afterAll(() => stack.stop());

const POLICIES = '/ppai/policies';
/** As long as a test may take: who waits that out has failed. */
const AS_LONG = 'wait=30';
const lookup = (value: string) => `/ppai/transmissions/${value}`;

/** Recorded and not waited for. */
async function received(client = 'alpha', issuingInsurerCode = 'INS-ALPHA') {
  const body = makeBody({ issuingInsurerCode });
  const answer = await stack.post(client, POLICIES, body, 'respond-async');
  expect(answer.status).toBe(202);
  const acknowledgment = Acknowledgment.parse(answer.envelope.data);
  return { body, answer, acknowledgment, reference: acknowledgment.transmissionReference };
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

describe('a POST that is not answered with an outcome (D3)', () => {
  it('is 202 with an acknowledgment in progress, where to look and when', async () => {
    const { body, answer, acknowledgment } = await received();
    expect(acknowledgment).toMatchObject({
      status: 'RECEIVED',
      externalTransactionId: body.externalTransactionId,
      kind: 'CREATE',
      policyNumber: body.policy.policyNumber,
      certificateOfCover: body.certificate.cocNumber,
      registryReference: null,
      transactionReference: null,
      coverageStatus: null,
      version: null,
      replayed: false,
      plateNumbers: [],
      warnings: [],
      errors: [],
      flags: [],
      referenceMatches: [],
    });
    expect(answer.envelope).toMatchObject({ success: true, error: null });
    expect(answer.headers['location']).toBe(
      `${API_BASE}${lookup(acknowledgment.transmissionReference)}`,
    );
    const retryAfter = Number(answer.headers['retry-after']);
    expect(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 30).toBe(true);
  });

  it('says which preference it honoured', async () => {
    const { answer } = await received();
    expect(answer.headers['preference-applied']).toBe('respond-async');
    const waited = await stack.post('alpha', POLICIES, makeBody(), 'wait=0');
    expect([waited.status, waited.headers['preference-applied']]).toEqual([202, 'wait=0']);
    const plain = await stack.post('alpha', POLICIES, makeBody());
    expect(plain.headers['preference-applied']).toBeUndefined();
  });

  it('waits TRANSMIT_WAIT_SECONDS by itself, and as long as `wait` says', async () => {
    const byItself = await tookMs(() => stack.post('alpha', POLICIES, makeBody()));
    expect(byItself).toBeGreaterThanOrEqual(1_000);
    const asked = await tookMs(() => stack.post('alpha', POLICIES, makeBody(), 'wait=2'));
    expect(asked).toBeGreaterThanOrEqual(2_000);
  });

  it('goes on when the caller leaves', async () => {
    const body = makeBody();
    const leaving = new AbortController();
    const gone = stack
      .send('alpha', { path: POLICIES, body, signal: leaving.signal })
      .catch(() => 'gone');
    const { db } = stack.api.context;
    const recorded = () =>
      db.transmission.count({ where: { externalTransactionId: body.externalTransactionId } });
    expect(await untilSeen(recorded, (count) => count > 0)).toBe(1);
    leaving.abort();
    expect(await gone).toBe('gone');
    await stack.addWorker();
    expect((await stack.untilTerminal(body.externalTransactionId)).status).toBe('ACCEPTED');
    await stack.stopWorkers();
  });
});

describe('the look-up of a transmission (D4)', () => {
  it('is 200 with Retry-After while it is in progress', async () => {
    const { reference } = await received();
    const answer = await stack.get('alpha', lookup(reference));
    expect(answer.status).toBe(200);
    expect(answer.envelope.data).toMatchObject({ status: 'RECEIVED', registryReference: null });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('holds the answer for `wait` seconds while nothing is settled', async () => {
    const { reference } = await received();
    let answer: Awaited<ReturnType<Stack['get']>> | undefined;
    const took = await tookMs(async () => {
      answer = await stack.get('alpha', lookup(reference), 'wait=1');
    });
    expect(took).toBeGreaterThanOrEqual(1_000);
    expect(answer?.headers['preference-applied']).toBe('wait=1');
    expect(answer?.envelope.data).toMatchObject({ status: 'RECEIVED' });
  });

  it('that waits is woken by the settlement', async () => {
    const { reference } = await received();
    const polls = Array.from({ length: 5 }, () => stack.get('alpha', lookup(reference), AS_LONG));
    await stack.addWorker();
    for (const { envelope } of await Promise.all(polls)) {
      expect(envelope.data).toMatchObject({ status: 'ACCEPTED', version: 1 });
    }
    await stack.stopWorkers();
  });
});

describe('with a worker', () => {
  beforeAll(() => stack.addWorker());

  it('a POST is answered as soon as the outcome is there, not when its time is over', async () => {
    const { status } = await stack.post('alpha', POLICIES, makeBody(), AS_LONG);
    expect(status).toBe(201);
  });

  it('the look-up gives the acknowledgment of the first answer, 200 for a rejection too', async () => {
    for (const changes of [{}, { operator: { name: null } }]) {
      const body = makeBody(changes);
      const { acknowledgment } = await stack.transmit('alpha', body, AS_LONG);
      for (const value of [acknowledgment.transmissionReference, body.externalTransactionId]) {
        const answer = await stack.get('alpha', lookup(value));
        expect(answer.status).toBe(200);
        expect(answer.envelope).toEqual({ success: true, data: acknowledgment, error: null });
        expect(answer.headers['retry-after']).toBeUndefined();
      }
    }
  });

  it('the transmitting organization and the issuing insurer see it, strangers get 404', async () => {
    const { body, reference } = await received('mgt-one', 'INS-BRAVO');
    await stack.untilTerminal(body.externalTransactionId);
    for (const client of ['mgt-one', 'bravo']) {
      expect((await stack.get(client, lookup(reference))).status).toBe(200);
    }
    for (const client of ['alpha', 'charlie']) {
      const answer = await stack.get(client, lookup(reference));
      expect([answer.status, answer.envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('an external id is looked up in the own organization only', async () => {
    const { body } = await received('mgt-one', 'INS-BRAVO');
    await stack.untilTerminal(body.externalTransactionId);
    const path = lookup(body.externalTransactionId);
    expect((await stack.get('mgt-one', path)).status).toBe(200);
    expect((await stack.get('bravo', path)).status).toBe(404);
  });

  it('a reference comes before an external id of the same spelling', async () => {
    const first = await stack.transmit('alpha', makeBody(), AS_LONG);
    const externalTransactionId = first.acknowledgment.transmissionReference;
    const again = makeBody({ externalTransactionId });
    const second = await stack.transmit('alpha', again, AS_LONG);
    expect(second.status).toBe(201);
    const { envelope } = await stack.get('alpha', lookup(externalTransactionId));
    expect(envelope.data).toEqual(first.acknowledgment);
    // A stranger to the first has an id of that spelling: it finds its own.
    const theirs = makeBody({ externalTransactionId, issuingInsurerCode: 'INS-CHARLIE' });
    await stack.transmit('charlie', theirs, AS_LONG);
    const found = await stack.get('charlie', lookup(externalTransactionId));
    expect(found.envelope.data).toMatchObject({ externalTransactionId });
  });

  it.each(['PPAI-TX-2026-999999999', 'NOBODYS-ID', 'x', '%00', "'--"])(
    'nothing under %s is 404',
    async (value) => {
      expect((await stack.get('alpha', lookup(encodeURIComponent(value)))).status).toBe(404);
    },
  );
});
