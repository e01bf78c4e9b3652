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
/** As long as a test may take: a request that waits this long fails its test. */
const LONGEST_WAIT = 'wait=30';
const lookup = (value: string) => `/ppai/transmissions/${value}`;

/** Posts a certificate without waiting for its outcome. */
async function postAsync(client = 'alpha', issuingInsurerCode = 'INS-ALPHA') {
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

describe('a POST without an outcome yet (D3)', () => {
  it('gets 202 with an acknowledgment in progress, Location and Retry-After', async () => {
    const { body, answer, acknowledgment } = await postAsync();
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

  it('gets Preference-Applied with the preference that was applied', async () => {
    const { answer } = await postAsync();
    expect(answer.headers['preference-applied']).toBe('respond-async');
    const waited = await stack.post('alpha', POLICIES, makeBody(), 'wait=0');
    expect([waited.status, waited.headers['preference-applied']]).toEqual([202, 'wait=0']);
    const plain = await stack.post('alpha', POLICIES, makeBody());
    expect(plain.headers['preference-applied']).toBeUndefined();
  });

  it('waits TRANSMIT_WAIT_SECONDS by default, or as long as `wait` says', async () => {
    const byDefault = await tookMs(() => stack.post('alpha', POLICIES, makeBody()));
    expect(byDefault).toBeGreaterThanOrEqual(1_000);
    const withWait = await tookMs(() => stack.post('alpha', POLICIES, makeBody(), 'wait=2'));
    expect(withWait).toBeGreaterThanOrEqual(2_000);
  });

  it('is processed even if the caller disconnects', async () => {
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
  it('gets 200 with Retry-After while the transmission is in progress', async () => {
    const { reference } = await postAsync();
    const answer = await stack.get('alpha', lookup(reference));
    expect(answer.status).toBe(200);
    expect(answer.envelope.data).toMatchObject({ status: 'RECEIVED', registryReference: null });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });

  it('waits `wait` seconds for an outcome', async () => {
    const { reference } = await postAsync();
    let answer: Awaited<ReturnType<Stack['get']>> | undefined;
    const took = await tookMs(async () => {
      answer = await stack.get('alpha', lookup(reference), 'wait=1');
    });
    expect(took).toBeGreaterThanOrEqual(1_000);
    expect(answer?.headers['preference-applied']).toBe('wait=1');
    expect(answer?.envelope.data).toMatchObject({ status: 'RECEIVED' });
  });

  it('that waits is answered when the transmission becomes terminal', async () => {
    const { reference } = await postAsync();
    const polls = Array.from({ length: 5 }, () =>
      stack.get('alpha', lookup(reference), LONGEST_WAIT),
    );
    await stack.addWorker();
    for (const { envelope } of await Promise.all(polls)) {
      expect(envelope.data).toMatchObject({ status: 'ACCEPTED', version: 1 });
    }
    await stack.stopWorkers();
  });
});

describe('with a worker', () => {
  beforeAll(() => stack.addWorker());

  it('a POST is answered as soon as there is an outcome, not at the end of its waiting time', async () => {
    const { status } = await stack.post('alpha', POLICIES, makeBody(), LONGEST_WAIT);
    expect(status).toBe(201);
  });

  it('a look-up returns the acknowledgment of the first answer, with 200 even for a rejection', async () => {
    for (const changes of [{}, { operator: { name: null } }]) {
      const body = makeBody(changes);
      const { acknowledgment } = await stack.transmit('alpha', body, LONGEST_WAIT);
      for (const value of [acknowledgment.transmissionReference, body.externalTransactionId]) {
        const answer = await stack.get('alpha', lookup(value));
        expect(answer.status).toBe(200);
        expect(answer.envelope).toEqual({ success: true, data: acknowledgment, error: null });
        expect(answer.headers['retry-after']).toBeUndefined();
      }
    }
  });

  it('the sender and the issuing insurer can look up a transmission, others get 404', async () => {
    const { body, reference } = await postAsync('mgt-one', 'INS-BRAVO');
    await stack.untilTerminal(body.externalTransactionId);
    for (const client of ['mgt-one', 'bravo']) {
      expect((await stack.get(client, lookup(reference))).status).toBe(200);
    }
    for (const client of ['alpha', 'charlie']) {
      const answer = await stack.get(client, lookup(reference));
      expect([answer.status, answer.envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('an external id is only looked up in the organization of the caller', async () => {
    const { body } = await postAsync('mgt-one', 'INS-BRAVO');
    await stack.untilTerminal(body.externalTransactionId);
    const path = lookup(body.externalTransactionId);
    expect((await stack.get('mgt-one', path)).status).toBe(200);
    expect((await stack.get('bravo', path)).status).toBe(404);
  });

  it('a reference takes precedence over an equal external id', async () => {
    const first = await stack.transmit('alpha', makeBody(), LONGEST_WAIT);
    const externalTransactionId = first.acknowledgment.transmissionReference;
    const again = makeBody({ externalTransactionId });
    const second = await stack.transmit('alpha', again, LONGEST_WAIT);
    expect(second.status).toBe(201);
    const { envelope } = await stack.get('alpha', lookup(externalTransactionId));
    expect(envelope.data).toEqual(first.acknowledgment);
    // An organization that may not see the first transmission finds its own under the same id.
    const theirs = makeBody({ externalTransactionId, issuingInsurerCode: 'INS-CHARLIE' });
    await stack.transmit('charlie', theirs, LONGEST_WAIT);
    const found = await stack.get('charlie', lookup(externalTransactionId));
    expect(found.envelope.data).toMatchObject({ externalTransactionId });
  });

  it.each(['PPAI-TX-2026-999999999', 'NOBODYS-ID', 'x', '%00', "'--"])(
    'the unknown id %s gets 404',
    async (value) => {
      expect((await stack.get('alpha', lookup(encodeURIComponent(value)))).status).toBe(404);
    },
  );
});
