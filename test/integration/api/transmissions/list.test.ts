import { makeBody, makeVehicle } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { bareVehicle, idsOf, readList, refusalOf, refusedAt } from './own.ts';

const BATCH = 'BATCH-OF-LIST';

let stack: Stack;
/** The transmissions of alpha, each with a name, in the order of their receipt. */
const sent: { name: string; externalTransactionId: string; transmissionReference: string }[] = [];
const sentBefore = new Date(Date.now() - 60_000).toISOString();
const sentAfter = new Date(Date.now() + 600_000).toISOString();

beforeAll(async () => {
  stack = await startStack();
  const transmit = async (name: string, body: ReturnType<typeof makeBody>, query = '') => {
    const { envelope } = await stack.post('alpha', `/ppai/policies${query}`, body);
    note(name, body.externalTransactionId, envelope.data);
    return { body, registryReference: String(envelope.data?.['registryReference']) };
  };
  const { body, registryReference } = await transmit('accepted', makeBody());
  await transmit('in a batch', makeBody(), `?batch=${BATCH}`);
  await transmit('flagged', makeBody({ vehicles: [makeVehicle({ region: 'NCR' })] }));
  await transmit('rejected', makeBody({ vehicles: [bareVehicle()] }));
  const vehicles = [...body.vehicles];
  await transmit('insured already', makeBody({ vehicles }), `?batch=${BATCH}`);
  const cancellation = {
    externalTransactionId: `${body.externalTransactionId}-CANCEL`,
    policyNumber: body.policy.policyNumber,
    cocNumber: body.certificate.cocNumber,
    cancellationEffectiveDate: body.certificate.effectiveDate,
    reasonCode: 'OTHER',
    reasonText: 'A test.',
  };
  const path = `/ppai/policies/${registryReference}/cancellation`;
  const { envelope } = await stack.post('alpha', path, cancellation);
  note('cancellation', cancellation.externalTransactionId, envelope.data);
  await stack.transmit('bravo', makeBody({ issuingInsurerCode: 'INS-BRAVO' }));
  await stack.stopWorkers();
  const open = makeBody();
  const answer = await stack.post('alpha', '/ppai/policies', open, 'respond-async');
  note('open', open.externalTransactionId, answer.envelope.data);
});
afterAll(() => stack.stop());

function note(name: string, externalTransactionId: string, data: object | null): void {
  const { transmissionReference = '' } = data as { transmissionReference?: string };
  sent.push({ name, externalTransactionId, transmissionReference });
}

const nameOf = (id: string) =>
  sent.find(({ externalTransactionId }) => externalTransactionId === id)?.name ?? id;
const namesFor = async (query: string, client = 'alpha') =>
  idsOf(await readList(stack, client, query)).map(nameOf);

describe('the list of own transmissions (D35)', () => {
  it('has all of them, the latest received first, and none of other organizations', async () => {
    const page = await readList(stack, 'alpha');
    expect(idsOf(page).map(nameOf)).toEqual(sent.map(({ name }) => name).toReversed());
    expect(page.nextCursor).toBeNull();
    expect(Object.keys(page)).toEqual(['items', 'nextCursor']);
    expect(await namesFor('', 'bravo')).toHaveLength(1);
  });

  it('has only transmissions that the organization sent, not others that it insures or regulates', async () => {
    await stack.post('mgt-one', '/ppai/policies', makeBody(), 'respond-async');
    expect(await namesFor('', 'mgt-one')).toHaveLength(1);
    expect(await namesFor('')).toHaveLength(sent.length);
  });

  it('is empty for an organization that has sent nothing', async () => {
    expect(await readList(stack, 'charlie')).toEqual({ items: [], nextCursor: null });
  });

  it.each<[string, string[]]>([
    ['status=FLAGGED', ['flagged']],
    ['status=RECEIVED,FLAGGED', ['open', 'flagged']],
    ['kind=CANCEL', ['cancellation']],
    ['failed=true', ['insured already', 'rejected']],
    ['failed=false', ['open', 'cancellation', 'flagged', 'in a batch', 'accepted']],
    ['open=true', ['open']],
    ['open=false&failed=false', ['cancellation', 'flagged', 'in a batch', 'accepted']],
    ['errorCode=VEHICLE_ALREADY_INSURED', ['insured already']],
    [`batch=${BATCH}`, ['insured already', 'in a batch']],
    [`batch=${BATCH}&failed=true`, ['insured already']],
    [`batch=${BATCH}&open=true`, []],
    ['batch=OTHER-BATCH', []],
    ['status=ACCEPTED&failed=true', []],
    ['errorCode=VALIDATION_FAILED&kind=AMEND', []],
    [`receivedTo=${sentBefore}`, []],
    [`receivedFrom=${sentAfter}`, []],
    [`receivedFrom=${sentBefore}&receivedTo=${sentAfter}&kind=CANCEL`, ['cancellation']],
  ])('filters by %s', async (query, expected) => {
    expect(await namesFor(query)).toEqual(expected);
  });

  it('summarizes a registered transmission', async () => {
    const { items } = await readList(stack, 'alpha', `batch=${BATCH}&failed=false`);
    const { transmissionReference, externalTransactionId } = sent[1] ?? {};
    expect(items).toEqual([
      {
        transmissionReference,
        externalTransactionId,
        kind: 'CREATE',
        status: 'ACCEPTED',
        registryReference: expect.stringMatching(/^PPAI-\d{4}-\d{9}$/),
        errorCode: null,
        findings: [],
        policyNumber: expect.stringMatching(/^POL-/),
        cocNumber: expect.stringMatching(/^COC-/),
        batch: BATCH,
        receivedAt: expect.any(String),
        completedAt: expect.any(String),
      },
    ]);
  });

  it('shows the first three errors of a rejected transmission', async () => {
    const { items } = await readList(stack, 'alpha', 'errorCode=VALIDATION_FAILED');
    expect(items).toMatchObject([{ status: 'REJECTED', registryReference: null, batch: null }]);
    const required = (field: string) => ({ level: 1, code: 'REQUIRED', field });
    expect(items[0]?.findings).toEqual([
      required('vehicles[0].plateNumber'),
      required('vehicles[0].mvFileNumber'),
      required('vehicles[0].engineNumber'),
    ]);
  });

  it('needs the scope ppai:read', async () => {
    const answer = await stack.get('verifier', '/ppai/transmissions');
    expect(refusalOf(answer)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});

describe('a page of the list', () => {
  it('continues where the previous one ended, even if more transmissions arrive in between', async () => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await readList(stack, 'alpha', `limit=3${next}`);
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...idsOf(page).map(nameOf));
      cursor = page.nextCursor;
      const more = makeBody();
      const answer = await stack.post('alpha', '/ppai/policies', more, 'respond-async');
      expect(answer.status).toBe(202);
    }
    expect(seen).toEqual(sent.map(({ name }) => name).toReversed());
  });

  it('has no cursor if it is full and ends with the last transmission', async () => {
    const { items, nextCursor } = await readList(stack, 'alpha', 'failed=true&limit=2');
    expect([items.length, nextCursor]).toEqual([2, null]);
  });

  it('has a cursor that is valid only with the same filters and for the same organization', async () => {
    const { nextCursor } = await readList(stack, 'alpha', 'failed=true&limit=1');
    const cursor = `cursor=${nextCursor}`;
    expect(await namesFor(`failed=true&limit=5&${cursor}`)).toEqual(['rejected']);
    for (const filters of [
      '',
      'failed=false&',
      `failed=true&batch=${BATCH}&`,
      'status=REJECTED&',
    ]) {
      const answer = await stack.get('alpha', `/ppai/transmissions?${filters}${cursor}`);
      expect({ filters, ...refusalOf(answer) }).toEqual({ filters, ...refusedAt('cursor') });
    }
    const foreign = await stack.get('bravo', `/ppai/transmissions?failed=true&${cursor}`);
    expect(refusalOf(foreign)).toEqual(refusedAt('cursor'));
  });

  it('takes its cursor with the same statuses in another order', async () => {
    const { nextCursor } = await readList(stack, 'alpha', 'status=REJECTED,FLAGGED&limit=1');
    const cursor = `cursor=${nextCursor}`;
    for (const status of ['FLAGGED,REJECTED', 'REJECTED,FLAGGED,REJECTED'])
      expect(await namesFor(`status=${status}&${cursor}`)).toEqual(['rejected', 'flagged']);
    const other = await stack.get('alpha', `/ppai/transmissions?status=REJECTED&${cursor}`);
    expect(refusalOf(other)).toEqual(refusedAt('cursor'));
  });
});

describe('a malformed parameter of the list', () => {
  const key = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
  it.each([
    ['status', ''],
    ['status', 'ACCEPTED,'],
    ['status', 'accepted'],
    ['kind', 'DELETE'],
    ['failed', 'maybe'],
    ['open', ''],
    ['errorCode', 'NO_SUCH_CODE'],
    ['batch', 'short'],
    ['batch', `${'x'.repeat(65)}`],
    ['batch', 'with%20space'],
    ['receivedFrom', 'yesterday'],
    ['receivedFrom', '2026-10-01'],
    ['receivedFrom', '2026-10-01T00:00:00%2B16:00'],
    ['receivedTo', '2026-10-01T00:00:00-23:59'],
    ['failed', 'yes'],
    ['receivedTo', '0000-01-01T00:00:00Z'],
    ['limit', '0'],
    ['limit', '501'],
    ['limit', '1e2'],
    ['cursor', ''],
    ['cursor', 'abc'],
    ['cursor', key('2026-10-01 00:00:00+00', '1')],
    ['cursor', key('2026-02-30 00:00:00+00', '1', 'x')],
    ['cursor', key('1', '2026-10-01 00:00:00+00', 'x')],
    ['status[]', 'ACCEPTED'],
    ['externalTransactionId', 'ALPHA-2026-000123'],
  ])('is refused: %s=%s', async (name, value) => {
    const answer = await stack.get('bravo', `/ppai/transmissions?${name}=${value}`);
    const field = name === 'status[]' ? '(unprintable)' : name;
    expect(refusalOf(answer)).toEqual(refusedAt(field));
  });
});
