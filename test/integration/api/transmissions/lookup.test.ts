import { makeBody, uniqueNumber } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { refusalOf, refusedAt } from './own.ts';

interface Item {
  readonly externalTransactionId?: string;
  readonly transmissionReference?: string;
  readonly found: boolean;
  readonly transmission: { readonly externalTransactionId: string; readonly status: string } | null;
}

const LOOKUP = '/ppai/transmissions/lookup';

let stack: Stack;
let accepted: { id: string; reference: string };
let sentByBravo: { id: string; reference: string };
beforeAll(async () => {
  stack = await startStack();
  const transmit = async (client: string, issuingInsurerCode: string) => {
    const body = makeBody({ issuingInsurerCode });
    const { acknowledgment } = await stack.transmit(client, body);
    const { transmissionReference } = acknowledgment;
    return { id: body.externalTransactionId, reference: transmissionReference };
  };
  accepted = await transmit('alpha', 'INS-ALPHA');
  sentByBravo = await transmit('bravo', 'INS-BRAVO');
});
afterAll(() => stack.stop());

async function lookUp(client: string, body: object): Promise<Item[]> {
  const answer = await stack.post(client, LOOKUP, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.envelope.data?.['items'] as Item[];
}

const missing = (name: object) => ({ ...name, found: false, transmission: null });

describe('a lookup of many transmissions (D36)', () => {
  it('answers in the order of the request, also for unknown and repeated ids', async () => {
    const unknown = uniqueNumber('UNKNOWN');
    const { id, reference } = accepted;
    const items = await lookUp('alpha', { externalTransactionIds: [unknown, id, id] });
    const found = {
      externalTransactionId: id,
      found: true,
      transmission: expect.objectContaining({
        externalTransactionId: id,
        transmissionReference: reference,
        status: 'ACCEPTED',
      }),
    };
    expect(items).toEqual([missing({ externalTransactionId: unknown }), found, found]);
  });

  it('finds transmissions by reference as well', async () => {
    const { id, reference } = accepted;
    const unknown = 'PPAI-TX-2026-999999999';
    const items = await lookUp('alpha', { transmissionReferences: [reference, unknown] });
    expect(items).toEqual([
      {
        transmissionReference: reference,
        found: true,
        transmission: expect.objectContaining({ externalTransactionId: id }),
      },
      missing({ transmissionReference: unknown }),
    ]);
  });

  it('does not find transmissions of another organization, even if the caller is their insurer', async () => {
    const { id, reference } = sentByBravo;
    expect(await lookUp('alpha', { externalTransactionIds: [id] })).toEqual([
      missing({ externalTransactionId: id }),
    ]);
    expect(await lookUp('alpha', { transmissionReferences: [reference] })).toEqual([
      missing({ transmissionReference: reference }),
    ]);
    const body = makeBody();
    const { acknowledgment } = await stack.transmit('mgt-one', body);
    const { transmissionReference } = acknowledgment;
    const references = { transmissionReferences: [transmissionReference] };
    expect(await lookUp('alpha', references)).toEqual([missing({ transmissionReference })]);
    expect(await lookUp('mgt-one', references)).toMatchObject([{ found: true }]);
  });

  it('accepts 500 ids, counts as one request and records nothing', async () => {
    const bodies = Array.from({ length: 5 }, () => makeBody());
    for (const body of bodies) await stack.post('alpha', '/ppai/policies', body, 'respond-async');
    const known = bodies.map(({ externalTransactionId }) => externalTransactionId);
    const others = Array.from({ length: 495 }, () => uniqueNumber('X'.repeat(80)));
    const { db } = stack.api.context;
    const before = await db.transmission.count();
    const restOf = async (externalTransactionIds: string[]) => {
      const { headers, envelope } = await stack.post('alpha', LOOKUP, { externalTransactionIds });
      const items = envelope.data?.['items'] as Item[];
      const rest = Number(/r=(\d+)/.exec(headers['ratelimit'] ?? '')?.[1]);
      return { rest, found: items.map(({ found }) => found) };
    };
    const one = await restOf([accepted.id]);
    const many = await restOf([...others, ...known]);
    expect(many.found).toEqual([...others.map(() => false), ...known.map(() => true)]);
    expect(one.rest - many.rest).toBe(1);
    expect(await db.transmission.count()).toBe(before);
  });

  it.each<[string, object, string | null]>([
    ['nothing', {}, null],
    ['no ids', { externalTransactionIds: [] }, 'externalTransactionIds'],
    ['no references', { transmissionReferences: [] }, 'transmissionReferences'],
    [
      '501 ids',
      { externalTransactionIds: Array.from({ length: 501 }, (_, n) => `EXTERNAL-${n}`) },
      'externalTransactionIds',
    ],
    [
      'ids and references',
      {
        externalTransactionIds: ['EXTERNAL-1'],
        transmissionReferences: ['PPAI-TX-2026-000000001'],
      },
      null,
    ],
    [
      'a malformed id',
      { externalTransactionIds: ['EXTERNAL-1', 'short'] },
      'externalTransactionIds[1]',
    ],
    ['an empty reference', { transmissionReferences: [''] }, 'transmissionReferences[0]'],
    ['a number', { externalTransactionIds: [12345678] }, 'externalTransactionIds[0]'],
    [
      'a single id instead of a list',
      { externalTransactionIds: 'EXTERNAL-1' },
      'externalTransactionIds',
    ],
    ['null', { externalTransactionIds: null }, 'externalTransactionIds'],
    [
      'a member too many',
      { transmissionReferences: ['PPAI-TX-2026-000000001'], status: 'ACCEPTED' },
      'status',
    ],
  ])('is refused with %s', async (_what, body, field) => {
    expect(refusalOf(await stack.post('bravo', LOOKUP, body))).toEqual(refusedAt(field));
  });

  it('is refused with the name of a misspelt member, and told which members there are', async () => {
    const body = { externalTransactionIDs: ['EXTERNAL-1'] };
    const { status, envelope } = await stack.post('bravo', LOOKUP, body);
    expect(status).toBe(422);
    expect(envelope.error?.details).toMatchObject([
      { code: 'INVALID_FORMAT', field: null },
      { code: 'UNKNOWN_FIELD', severity: 'ERROR', field: 'externalTransactionIDs' },
    ]);
  });

  it('needs the scope ppai:read', async () => {
    const body = { externalTransactionIds: [accepted.id] };
    expect(refusalOf(await stack.post('verifier', LOOKUP, body))).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    });
  });
});
