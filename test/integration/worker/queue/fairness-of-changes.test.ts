import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ workers: 0 });
});
afterEach(() => stack.stop());

const INSURERS = { 'mgt-one': 'INS-ALPHA', bravo: 'INS-BRAVO' } as const;
type Client = keyof typeof INSURERS;

let sent = 0;

/** Posts it while no worker runs, and hands out its external id. */
async function post(client: Client, path: string, body: object): Promise<string> {
  sent += 1;
  const externalTransactionId = `FAIR-${Date.now()}-${sent}`;
  const whole = { ...body, externalTransactionId };
  const { status } = await stack.post(client, path, whole, 'respond-async');
  expect(status).toBe(202);
  return externalTransactionId;
}

const bodyOf = (client: Client) => makeBody({ issuingInsurerCode: INSURERS[client] });

const certify = (client: Client, body = bodyOf(client)) => post(client, '/ppai/policies', body);

async function certifyMany(client: Client, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await certify(client));
  return ids;
}

/** The reference of a record that is registered before anything waits. */
async function register(client: Client, body = bodyOf(client)): Promise<string> {
  const id = await certify(client, body);
  await stack.addWorker();
  const { registryReference } = await stack.untilTerminal(id);
  await stack.stopWorkers();
  return registryReference ?? 'not registered';
}

async function registerMany(client: Client, count: number): Promise<string[]> {
  const ids = await certifyMany(client, count);
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

/** How many of them were settled before it, once all are. */
async function settledBefore(one: string, others: readonly string[]): Promise<number> {
  await stack.addWorker();
  await Promise.all([one, ...others].map((id) => stack.untilTerminal(id)));
  const completedAt = async (externalTransactionId: string) => {
    const { completedAt: at } = await stack.api.context.db.transmission.findFirstOrThrow({
      where: { externalTransactionId },
    });
    return at?.getTime() ?? Number.NaN;
  };
  const settledAt = await completedAt(one);
  const times = await Promise.all(others.map(completedAt));
  return times.filter((time) => time < settledAt).length;
}

describe('while a pool has dumped much, what a small organization sends is settled soon', () => {
  it('a cancellation beside certificates', async () => {
    const body = bodyOf('bravo');
    const reference = await register('bravo', body);
    const dumped = await certifyMany('mgt-one', 80);
    const cancellation = await post('bravo', `/ppai/policies/${reference}/cancellation`, {
      policyNumber: body.policy.policyNumber,
      cocNumber: body.certificate.cocNumber,
      cancellationEffectiveDate: body.certificate.effectiveDate,
      reasonCode: 'OPERATOR_REQUEST',
      reasonText: 'the vehicle was sold',
    });
    expect(await settledBefore(cancellation, dumped)).toBeLessThan(40);
  });

  it('a certificate beside amendments', async () => {
    const references = await registerMany('mgt-one', 24);
    const dumped: string[] = [];
    for (const reference of references) dumped.push(await amend('mgt-one', reference, 'dumped'));
    expect(await settledBefore(await certify('bravo'), dumped)).toBeLessThan(12);
  });
});

it('the amendments of one record are settled in their order, those of others between them', async () => {
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
