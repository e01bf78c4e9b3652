import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

let stack: Stack;
beforeEach(async () => {
  // One batch at a time, so that the order of completion is the order of the claims.
  stack = await startStack({ workers: 0, environment: { WORKER_CONCURRENCY: '1' } });
});
afterEach(() => stack.stop());

const INSURERS = { 'mgt-one': 'INS-ALPHA', bravo: 'INS-BRAVO' } as const;
type Client = keyof typeof INSURERS;

let sent = 0;

/** Posts while no worker runs. Returns the external id. */
async function post(client: Client, path: string, body: object): Promise<string> {
  sent += 1;
  const externalTransactionId = `FAIR-${Date.now()}-${sent}`;
  const whole = { ...body, externalTransactionId };
  const { status } = await stack.post(client, path, whole, 'respond-async');
  expect(status).toBe(202);
  return externalTransactionId;
}

const bodyOf = (client: Client) => makeBody({ issuingInsurerCode: INSURERS[client] });

const postCertificate = (client: Client, body = bodyOf(client)) =>
  post(client, '/ppai/policies', body);

async function postCertificates(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await postCertificate(client));
  return ids;
}

/** Registers a record while nothing else waits. Returns its reference. */
async function register(client: Client, body = bodyOf(client)): Promise<string> {
  const id = await postCertificate(client, body);
  await stack.addWorker();
  const { registryReference } = await stack.untilTerminal(id);
  await stack.stopWorkers();
  return registryReference ?? 'not registered';
}

async function registerMany(client: Client, count: number): Promise<string[]> {
  const ids = await postCertificates(client, count);
  await stack.addWorker();
  const settled = await Promise.all(ids.map((id) => stack.untilTerminal(id)));
  await stack.stopWorkers();
  return settled.map(({ registryReference }) => registryReference ?? 'not registered');
}

const amend = (client: Client, reference: string, remarks: string) =>
  post(client, `/ppai/policies/${reference}/amendments`, {
    reason: 'as the policy says',
    changes: { policy: { remarks } },
  });

/** Waits until all are terminal. Returns how many of `others` were completed before `one`. */
async function countCompletedBefore(one: string, others: readonly string[]): Promise<number> {
  await stack.addWorker();
  await Promise.all([one, ...others].map((id) => stack.untilTerminal(id)));
  const completedAt = async (externalTransactionId: string) => {
    const { completedAt: at } = await stack.api.context.db.transmission.findFirstOrThrow({
      where: { externalTransactionId },
    });
    return at?.getTime() ?? Number.NaN;
  };
  const oneCompletedAt = await completedAt(one);
  const times = await Promise.all(others.map(completedAt));
  return times.filter((time) => time < oneCompletedAt).length;
}

describe('during a bulk load of a pool', () => {
  it('a cancellation of a small organization is completed before half of the certificates', async () => {
    const body = bodyOf('bravo');
    const reference = await register('bravo', body);
    const bulk = await postCertificates('mgt-one', 80);
    const cancellation = await post('bravo', `/ppai/policies/${reference}/cancellation`, {
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      cancellationEffectiveDate: body.certificate.effectiveDate,
      reasonCode: 'OPERATOR_REQUEST',
      reasonText: 'the vehicle was sold',
    });
    expect(await countCompletedBefore(cancellation, bulk)).toBeLessThan(40);
  });

  it('a certificate of a small organization is completed before half of the amendments', async () => {
    const references = await registerMany('mgt-one', 24);
    const bulk: string[] = [];
    for (const reference of references) bulk.push(await amend('mgt-one', reference, 'bulk load'));
    expect(await countCompletedBefore(await postCertificate('bravo'), bulk)).toBeLessThan(12);
  });
});

it('the amendments of each record are processed in order of receipt, even if they alternate', async () => {
  const [first = '', second = ''] = await registerMany('mgt-one', 2);
  const order = [first, first, second, first, second, first];
  const ids: string[] = [];
  for (const [at, reference] of order.entries()) {
    ids.push(await amend('mgt-one', reference, `change ${at}`));
  }
  await stack.addWorker();
  await Promise.all(ids.map((id) => stack.untilTerminal(id)));
  for (const [reference, last] of [
    [first, 'change 5'],
    [second, 'change 4'],
  ]) {
    const { envelope } = await stack.get('mgt-one', `/ppai/policies/${reference}`);
    expect(envelope.data).toMatchObject({ policy: { remarks: last } });
  }
});
