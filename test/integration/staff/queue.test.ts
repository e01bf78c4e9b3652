import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import type { QueueState } from '../../../shared/contract/staff/queue.ts';
import type { TransmissionItem } from '../../../shared/contract/staff/records.ts';
import { releaseForRetry } from '../../../shared/store/intake/release.ts';
import { sweep } from '../../../shared/store/intake/sweep.ts';
import { makeBody } from '../../env/api/bodies.ts';
import { type Stack, startStack } from '../../env/api/stack.ts';
import { untilSeen } from '../../env/server-timeouts.ts';
import { auditedActions, listAll, listPage } from '../../env/staff/lists.ts';
import { type StaffBrowser, signInAs } from '../../env/staff/staff.ts';

let stack: Stack;
let administrator: StaffBrowser;
let auditor: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  administrator = await signInAs(stack, 'ADMINISTRATOR');
  auditor = await signInAs(stack, 'AUDITOR');
});
afterEach(() => stack.stopWorkers());
afterAll(() => stack.stop());

const PARKED = '/admin/v1/queue/parked';

interface Recorded {
  readonly body: TransmissionBody;
  readonly reference: string;
}

async function receive(client = 'alpha'): Promise<Recorded> {
  const issuingInsurerCode = client === 'bravo' ? 'INS-BRAVO' : 'INS-ALPHA';
  const body = makeBody({ issuingInsurerCode });
  const answer = await stack.post(client, '/ppai/policies', body, 'respond-async');
  expect(answer.status).toBe(202);
  return { body, reference: String(answer.envelope.data?.['transmissionReference']) };
}

/** Receives a transmission and parks it as after its last attempt. */
async function park(reason: string, client?: string): Promise<Recorded> {
  const { db } = stack.api.context;
  const recorded = await receive(client);
  const { id } = await db.transmission.update({
    where: { transmissionReference: recorded.reference },
    data: { status: 'VALIDATING', fence: 7, attempts: 10, failures: 9 },
  });
  await releaseForRetry(db, { id, fence: 7, reason, retryInSeconds: undefined });
  return recorded;
}

function sendAgain(browser: StaffBrowser, reference: string) {
  return browser.post(`${PARKED}/${reference}/send-again`);
}

async function listed(query: string): Promise<string[]> {
  const items = await listAll<TransmissionItem>(auditor, `${PARKED}?${query}`);
  return items.map(({ transmissionReference }) => transmissionReference);
}

describe('the queue', () => {
  it('shows the backlog, its age, the rates and the workers', async () => {
    await receive();
    await receive();
    const { db } = stack.api.context;
    await db.$executeRaw`UPDATE transmissions SET recorded_at = recorded_at - interval '7 seconds'`;
    const before = await auditor.get('/admin/v1/queue');
    expect(before.envelope.data as unknown as QueueState).toMatchObject({
      depth: 2,
      jobs: expect.any(Number),
      receivedPerSecond: 2 / 60,
      parked: 0,
      imports: 0,
      workers: [],
    });
    expect(Number(before.envelope.data?.['oldestSeconds'])).toBeGreaterThanOrEqual(7);

    await stack.addWorker();
    const busy = await receive();
    await stack.untilTerminal(busy.body.externalTransactionId);
    const state = await untilSeen(
      async () => (await auditor.get('/admin/v1/queue')).envelope.data as unknown as QueueState,
      ({ depth, workers }) => depth === 0 && (workers[0]?.settled ?? 0) >= 3,
    );
    expect(state).toMatchObject({ depth: 0, workers: [{ isAlive: true }] });
    expect(state.workers[0]?.settled).toBeGreaterThanOrEqual(3);
  });

  it('shows everything else if the queue is unreachable', async () => {
    const { producer } = stack.api.context;
    const depth = jest.spyOn(producer, 'depth').mockRejectedValue(new Error('gone'));
    const { status, envelope } = await auditor.get('/admin/v1/queue');
    depth.mockRestore();
    expect([status, envelope.data?.['jobs'], envelope.data?.['parked']]).toEqual([200, null, 0]);
  });
});

describe('parked transmissions', () => {
  it('are listed with their last error, by organization, error, kind and time', async () => {
    const one = await park('SQLSTATE 53100: no space left');
    const other = await park('Error: out of order', 'bravo');
    const { items, total } = await listPage<TransmissionItem>(auditor, PARKED);
    expect(total).toBe(2);
    expect(items).toMatchObject([
      {
        transmissionReference: one.reference,
        status: 'VALIDATING',
        attempts: 10,
        lastError: 'SQLSTATE 53100: no space left',
        parkedAt: expect.any(String),
      },
      { transmissionReference: other.reference },
    ]);
    expect(await listed('')).toEqual([one.reference, other.reference]);
    expect(await listed('organizationCode=INS-BRAVO')).toEqual([other.reference]);
    expect(await listed('lastError=53100')).toEqual([one.reference]);
    expect(await listed('kind=CANCEL')).toEqual([]);
    expect(await listed('kind=CREATE&parkedTo=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await listed('parkedFrom=2020-01-01T00:00:00Z')).toHaveLength(2);
    const { envelope } = await auditor.get(`/admin/v1/transmissions/${one.reference}`);
    expect(envelope.data).toMatchObject({ failures: 10, dueAt: null, acknowledgment: null });
    for (const { reference } of [one, other]) await sendAgain(administrator, reference);
  });

  it('are processed after they are sent again, which is audited', async () => {
    const { body, reference } = await park('Error: out of order');
    await stack.addWorker();
    const { status, envelope } = await sendAgain(administrator, reference);
    expect({ status, data: envelope.data }).toEqual({ status: 200, data: { sent: 1, left: 0 } });
    const acknowledgment = await stack.untilTerminal(body.externalTransactionId);
    expect(acknowledgment.status).toBe('ACCEPTED');
    const detail = await auditor.get(`/admin/v1/transmissions/${reference}`);
    expect(detail.envelope.data).toMatchObject({ attempts: 1, failures: 0, lastError: null });
    expect(await auditedActions(administrator, 'TRANSMISSION', reference)).toEqual([
      {
        action: 'TRANSMISSION_SENT_AGAIN',
        before: {
          transmissionReference: reference,
          parkedAt: expect.any(String),
          attempts: 10,
          failures: 10,
          lastError: 'Error: out of order',
        },
        after: { parkedAt: null, attempts: 0, failures: 0 },
      },
    ]);
  });

  it('are sent again together if a filter selects them; the others stay parked', async () => {
    const [one, other] = [await park('Error: disk full'), await park('Error: disk full')];
    const left = await park('Error: out of order');
    await stack.addWorker();
    const { envelope } = await administrator.post(`${PARKED}/send-again`, { lastError: 'disk' });
    expect(envelope.data).toEqual({ sent: 2, left: 0 });
    for (const { body } of [one, other]) {
      expect((await stack.untilTerminal(body.externalTransactionId)).status).toBe('ACCEPTED');
    }
    expect(await listed('')).toEqual([left.reference]);
    const [act] = await listAll<{ action: string; before: object; after: object }>(
      administrator,
      '/admin/v1/audit?action=TRANSMISSIONS_SENT_AGAIN',
    );
    expect(act).toMatchObject({
      before: {
        transmissions: expect.arrayContaining([
          expect.objectContaining({ transmissionReference: one.reference }),
          expect.objectContaining({ transmissionReference: other.reference }),
        ]),
      },
      after: { filter: { lastError: 'disk' }, sent: 2, left: 0 },
    });
    const all = await administrator.post(`${PARKED}/send-again`, {});
    expect(all.envelope.data).toEqual({ sent: 1, left: 0 });
    expect((await stack.untilTerminal(left.body.externalTransactionId)).status).toBe('ACCEPTED');
    const none = await administrator.post(`${PARKED}/send-again`, {});
    expect(none.envelope.data).toEqual({ sent: 0, left: 0 });
  });

  it('are sent again even if the queue is unreachable: the sweeper finds them', async () => {
    const { producer, db } = stack.api.context;
    const { reference } = await park('Error: out of order');
    const enqueue = jest.spyOn(producer, 'enqueue').mockRejectedValue(new Error('gone'));
    const { status } = await sendAgain(administrator, reference);
    enqueue.mockRestore();
    expect(status).toBe(200);
    await db.$executeRaw`UPDATE transmissions SET sweep_at = now() WHERE transmission_reference = ${reference}`;
    const swept = await sweep(db, { claimedMax: 10, waitingMax: 10 });
    expect(swept).toMatchObject([{ isParked: false, attempts: 0 }]);
  });

  it('are sent again by one of several concurrent requests; the others get CONFLICT', async () => {
    const { reference } = await park('Error: out of order');
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendAgain(administrator, reference)));
    const codes = answers.map(({ status, envelope }) => envelope.error?.code ?? status);
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(3);
  });

  it('are the only ones that can be sent again, and only by a role with the permission', async () => {
    const { reference } = await receive();
    const waiting = await sendAgain(administrator, reference);
    expect([waiting.status, waiting.envelope.error?.code]).toEqual([409, 'CONFLICT']);
    const unknown = await sendAgain(administrator, 'PPAI-TX-2026-999999999');
    expect([unknown.status, unknown.envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
    const refused = await sendAgain(auditor, reference);
    expect([refused.status, refused.envelope.error?.code]).toEqual([403, 'FORBIDDEN']);
    const wrong = await administrator.post(`${PARKED}/send-again`, { error: 'disk' });
    expect([wrong.status, wrong.envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
  });
});
