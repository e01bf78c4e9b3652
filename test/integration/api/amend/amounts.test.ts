import type { TransmissionBody } from '../../../../shared/contract/machine/transmission.ts';
import { makeBody, uniqueNumber } from '../../../env/api/bodies.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** The body as JSON, with the amount in exactly this notation. */
function withAmount(body: object, amount: string): string {
  return JSON.stringify(body).replace(/"premiumAmount":[^,}]+/, `"premiumAmount":${amount}`);
}

const send = (path: string, body: string) => stack.send('alpha', { method: 'POST', path, body });
const transmit = (amount: string, body: TransmissionBody = makeBody()) =>
  send('/ppai/policies', withAmount(body, amount));

function referenceOf({ envelope }: TestAnswer): string {
  return String(envelope.data?.['registryReference']);
}

async function shown(reference: string): Promise<unknown> {
  const { envelope } = await stack.get('alpha', `/ppai/policies/${reference}`);
  const { policy, versions } = envelope.data as {
    policy: { premiumAmount: string };
    versions: { snapshot: { policy: { premiumAmount: number } } }[];
  };
  return [policy.premiumAmount, versions.at(-1)?.snapshot.policy.premiumAmount];
}

const recorded = async (externalTransactionId: string) =>
  (await stack.get('alpha', `/ppai/transmissions/${externalTransactionId}`)).status;

/** Amounts as sent, as shown, and as a number in the snapshot. */
const EXACT: [string, string, number][] = [
  ['0', '0.00', 0],
  ['-0.00', '0.00', 0],
  ['0.01', '0.01', 0.01],
  ['0.1', '0.10', 0.1],
  ['1e2', '100.00', 100],
  ['12345e-1', '1234.50', 1234.5],
  ['0.00012345E+7', '1234.50', 1234.5],
  ['1234.50000000000000000000000000000', '1234.50', 1234.5],
  ['99999999.99', '99999999.99', 99_999_999.99],
  ['999999999.99', '999999999.99', 999_999_999.99],
  ['1000000000', '1000000000.00', 1_000_000_000],
  ['1000000000.000000000000000000000', '1000000000.00', 1_000_000_000],
];

/** Amounts whose text has more than two decimals or twelve significant digits (D32). */
const INEXACT = [
  '99999999.999999999999999',
  '5e-324',
  '1e-400',
  '0.001',
  '0.010000000000000000001',
  '1234.5000000000000000000000001',
  '0.1000000000000000055511151231257827',
  '123456789012.5',
  '1234567890123',
  '9007199254740993',
];

describe('an amount (D32)', () => {
  it.each(EXACT)('of %s is stored and shown exactly', async (amount, text, number) => {
    const answer = await transmit(amount);
    expect(answer.status).toBe(201);
    const [asText, asNumber] = (await shown(referenceOf(answer))) as [string, number];
    expect([asText, asNumber + 0]).toEqual([text, number]);
  });

  it.each(INEXACT)('of %s fails the schema, and nothing is recorded', async (amount) => {
    const body = makeBody();
    const { status, envelope } = await transmit(amount, body);
    expect({ status, data: envelope.data, code: envelope.error?.code }).toEqual({
      status: 422,
      data: null,
      code: 'VALIDATION_FAILED',
    });
    expect(envelope.error?.details).toEqual([
      {
        level: 2,
        severity: 'ERROR',
        code: 'INVALID_FORMAT',
        field: 'policy.premiumAmount',
        message: expect.stringMatching(/two|2 decimals|too many digits/),
      },
    ]);
    expect(await recorded(body.externalTransactionId)).toBe(404);
  });

  it('over the maximum is rejected with a finding, and the transmission is recorded', async () => {
    const body = makeBody();
    const { envelope } = await transmit('1000000000.01', body);
    expect(envelope.error?.details).toContainEqual(
      expect.objectContaining({ code: 'INVALID_FORMAT', field: 'policy.premiumAmount' }),
    );
    expect(envelope.data?.['status']).toBe('REJECTED');
    expect(await recorded(body.externalTransactionId)).toBe(200);
  });

  it('is checked and stored in the same way in an amendment', async () => {
    const reference = referenceOf(await transmit('1'));
    const amend = (amount: string) =>
      send(
        `/ppai/policies/${reference}/amendments`,
        withAmount(
          {
            externalTransactionId: uniqueNumber('AMD'),
            reason: 'Corrected',
            changes: { policy: { premiumAmount: 0 } },
          },
          amount,
        ),
      );
    expect((await amend('12345e-1')).status).toBe(200);
    expect(await shown(reference)).toEqual(['1234.50', 1234.5]);
    for (const amount of INEXACT) {
      const { status, envelope } = await amend(amount);
      expect(status).toBe(422);
      expect(envelope.error?.details?.map(({ code, field }) => [code, field])).toEqual([
        ['INVALID_FORMAT', 'changes.policy.premiumAmount'],
      ]);
    }
    expect(await shown(reference)).toEqual(['1234.50', 1234.5]);
  });

  it('in another notation is the same request (D5)', async () => {
    const body = makeBody();
    expect((await transmit('1234.5', body)).status).toBe(201);
    for (const amount of ['1234.50', '12345e-1', '0.12345E4', '1234.500000000000000000000']) {
      const again = await transmit(amount, body);
      expect([again.status, again.envelope.data?.['replayed']]).toEqual([200, true]);
    }
  });
});

describe('any other number', () => {
  it('is not rounded to an integer', async () => {
    const body = JSON.stringify(makeBody())
      .replace('"yearModel":2020', '"yearModel":2020.00000000000000001')
      .replace('"passengerCapacity":20', '"passengerCapacity":2.0e1');
    const { status, envelope } = await send('/ppai/policies', body);
    expect(status).toBe(422);
    expect(envelope.error?.details?.map(({ code, field }) => [code, field])).toEqual([
      ['INVALID_FORMAT', 'vehicles[0].yearModel'],
    ]);
  });

  it('may have any digits in an unknown member', async () => {
    const body = JSON.stringify({ ...makeBody(), more: 1 });
    const { status } = await send(
      '/ppai/policies',
      body.replace('"more":1', '"more":[0.10000000000000000000001]'),
    );
    expect(status).toBe(201);
  });
});
