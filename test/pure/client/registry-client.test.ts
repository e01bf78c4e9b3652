import { TransportError } from '../../../client/outcome.ts';
import { makeRegistryClient, type RegistryClient } from '../../../client/registry-client.ts';
import type { TransmissionBody } from '../../../shared/contract/machine/transmission.ts';
import { BODY_EXAMPLES } from '../../../shared/contract/openapi/body-examples.ts';
import {
  acknowledge,
  CREDENTIALS,
  type FakeOptions,
  type FakeRegistry,
  issueToken,
  type Reply,
  refuse,
  startFakeRegistry,
} from './fake-registry.ts';

const body = BODY_EXAMPLES.transmit?.['jeepney'] as TransmissionBody;

let registry: FakeRegistry;

async function start(options: FakeOptions, retries = 2): Promise<RegistryClient> {
  registry = await startFakeRegistry(options);
  return makeRegistryClient({ ...CREDENTIALS, baseUrl: registry.url, retries });
}

/** Gives these answers in order, then repeats the last one. */
function inOrder(...replies: Reply[]): FakeOptions {
  return { answer: (_, index) => replies[Math.min(index, replies.length - 1)] ?? { status: 500 } };
}

afterEach(() => registry.close());

describe('signing', () => {
  it('signs exactly the bytes and the target that are sent', async () => {
    const client = await start(inOrder(acknowledge(201)));
    await client.transmit({ ...body, operator: { ...body.operator, name: 'Niño – ₱' } });
    await client.searchRecords({ policyNumber: 'A/b c+d&e=é', pageSize: 5 });
    await client.checkCoverage('NCR 1001/2', { asOf: '2026-10-01' });
    expect(registry.received.map(({ isSigned }) => isSigned)).toEqual([true, true, true]);
    expect(registry.received.map(({ target }) => target)).toEqual([
      '/api/v1/ppai/policies',
      '/api/v1/ppai/policies/search?policyNumber=A%2Fb+c%2Bd%26e%3D%C3%A9&pageSize=5',
      '/api/v1/ppai/vehicles/NCR%201001%2F2/coverage?asOf=2026-10-01',
    ]);
    expect(registry.received[0]?.headers).toMatchObject({
      authorization: 'Bearer token-0',
      'x-ppai-client-id': CREDENTIALS.clientId,
      'content-type': 'application/json',
    });
  });

  it('refuses a path value that a URL would drop', async () => {
    const client = await start(inOrder(acknowledge(200)));
    await expect(client.checkCoverage('..')).rejects.toThrow(RangeError);
    await expect(client.readRecord('')).rejects.toThrow(RangeError);
    expect(registry.received).toEqual([]);
  });
});

describe('retries', () => {
  it.each([429, 502, 503, 504])(
    'retries after %i with a new nonce and signature',
    async (status) => {
      const busy = { ...refuse('RATE_LIMITED', { headers: { 'retry-after': '0' } }), status };
      const client = await start(inOrder(busy, busy, acknowledge(201)));
      const outcome = await client.transmit(body);
      expect(outcome).toMatchObject({ ok: true, status: 201, data: { status: 'ACCEPTED' } });
      expect(registry.received).toHaveLength(3);
      expect(new Set(registry.received.map(({ headers }) => headers['x-ppai-nonce'])).size).toBe(3);
      expect(registry.received.every(({ isSigned }) => isSigned)).toBe(true);
      expect(new Set(registry.received.map((request) => request.body.toString())).size).toBe(1);
    },
  );

  it('retries after a lost connection and sends the whole body again', async () => {
    const client = await start(inOrder({ status: 0, isCut: true }, acknowledge(201)));
    expect(await client.transmit(body)).toMatchObject({ ok: true, status: 201 });
    expect(registry.received.map((request) => request.body.length)).toEqual([
      registry.received[0]?.body.length,
      registry.received[0]?.body.length,
    ]);
    expect(JSON.parse(registry.received[1]?.body.toString() ?? '')).toEqual(body);
  });

  it('retries after an answer whose body is cut short', async () => {
    const client = await start(
      inOrder({ ...acknowledge(201), isCutShort: true }, acknowledge(201)),
    );
    expect(await client.transmit(body)).toMatchObject({ ok: true, data: { status: 'ACCEPTED' } });
    expect(registry.received).toHaveLength(2);
  });

  it('sends nothing and does not retry when an argument cannot be part of a request', async () => {
    const client = await start(inOrder(acknowledge(201)));
    await expect(client.transmit(body, { scenario: 'two\nlines' })).rejects.toThrow(
      'invalid X-PPAI-Sandbox-Scenario header',
    );
    expect(registry.received).toEqual([]);
  });

  it('delays all its requests as long as Retry-After says', async () => {
    const { answer } = inOrder(
      refuse('RATE_LIMITED', { headers: { 'retry-after': '1' } }),
      acknowledge(201),
    );
    const receivedAtMs: number[] = [];
    const client = await start({
      answer: (request, index) => {
        receivedAtMs.push(performance.now());
        return answer(request, index);
      },
    });
    const first = client.transmit(body);
    while (receivedAtMs.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, client.transmit(body)]);
    expect(receivedAtMs).toHaveLength(3);
    const [refusedAtMs = 0, ...later] = receivedAtMs;
    expect(Math.min(...later) - refusedAtMs).toBeGreaterThanOrEqual(950);
  });

  it('returns a 429 that persists', async () => {
    const client = await start(
      inOrder(refuse('RATE_LIMITED', { headers: { 'retry-after': '0' } })),
      1,
    );
    expect(await client.transmit(body)).toMatchObject({
      ok: false,
      status: 429,
      error: { code: 'RATE_LIMITED' },
      retryAfterSeconds: 0,
    });
    expect(registry.received).toHaveLength(2);
  });

  it.each([
    'INTERNAL_ERROR',
    'VALIDATION_FAILED',
    'NOT_FOUND',
    'IDEMPOTENCY_KEY_REUSED',
    'PAYLOAD_TOO_LARGE',
  ] as const)('gives %s back at once and throws nothing', async (code) => {
    const client = await start(inOrder(refuse(code)));
    expect(await client.transmit(body)).toMatchObject({ ok: false, error: { code } });
    expect(registry.received).toHaveLength(1);
  });

  it('throws an error that names host and reason when no server listens', async () => {
    const client = await start(inOrder(acknowledge(200)), 1);
    await client.readRecord('PPAI-2026-000000001');
    await registry.close();
    const failure: unknown = await client
      .readRecord('PPAI-2026-000000001')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TransportError);
    expect(String(failure)).toMatch(/127\.0\.0\.1:\d+ in 2 attempts: .*ECONNREFUSED/);
  });

  it('throws the same error when the token request cannot reach the registry', async () => {
    const client = await start(inOrder(acknowledge(200)), 1);
    await registry.close();
    const failure: unknown = await client
      .readRecord('PPAI-2026-000000001')
      .catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /POST \/api\/v1\/oauth\/token got no answer .* in 2 attempts: .*ECONNREFUSED/,
    );
    expect(String(failure)).not.toContain('policies');
  });

  it('throws when another server than the registry answers', async () => {
    const client = await start(inOrder({ status: 200, body: '<html>Welcome</html>' }));
    await expect(client.readRecord('PPAI-2026-000000001')).rejects.toThrow(
      /without the registry's envelope.*Welcome/,
    );
  });
});

it('reads a compressed answer', async () => {
  const compressed = { ...acknowledge(200), headers: { 'content-encoding': 'gzip' } };
  const client = await start(inOrder(compressed));
  expect(await client.readTransmission('PPAI-TX-2026-000000001')).toMatchObject({
    ok: true,
    data: { status: 'ACCEPTED' },
  });
  expect(registry.received[0]?.headers['accept-encoding']).toBe('gzip');
});

describe('the token', () => {
  it('is requested once for many concurrent requests', async () => {
    const client = await start(inOrder(acknowledge(200)));
    await Promise.all(
      Array.from({ length: 10 }, () => client.readTransmission('PPAI-TX-2026-000000001')),
    );
    expect(registry.tokensIssued()).toBe(1);
  });

  it('is renewed before it expires', async () => {
    const client = await start({
      ...inOrder(acknowledge(200)),
      tokenReply: (index) => issueToken(index, { seconds: 0 }),
    });
    await client.readTransmission('PPAI-TX-2026-000000001');
    await client.readTransmission('PPAI-TX-2026-000000001');
    expect(registry.tokensIssued()).toBe(2);
    expect(registry.received[1]?.headers.authorization).toBe('Bearer token-1');
  });

  it('is renewed once when the registry no longer accepts it', async () => {
    const client = await start(inOrder(refuse('INVALID_TOKEN'), acknowledge(200)));
    expect(await client.readTransmission('PPAI-TX-2026-000000001')).toMatchObject({ ok: true });
    expect(registry.tokensIssued()).toBe(2);
    expect(registry.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
  });

  it('is not requested repeatedly', async () => {
    const client = await start(inOrder(refuse('INVALID_TOKEN')));
    expect(await client.readTransmission('PPAI-TX-2026-000000001')).toMatchObject({
      ok: false,
      error: { code: 'INVALID_TOKEN' },
    });
    expect(registry.received).toHaveLength(2);
  });

  it('that is refused becomes the outcome of the request that needed it', async () => {
    const client = await start({
      ...inOrder(acknowledge(200)),
      tokenReply: () => refuse('INVALID_CREDENTIALS'),
    });
    expect(await client.transmit(body)).toMatchObject({
      ok: false,
      status: 401,
      error: { code: 'INVALID_CREDENTIALS' },
    });
    expect(registry.received).toEqual([]);
  });
});

describe('the clock', () => {
  it("is corrected once by the registry's Date header when a timestamp is out of range", async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const client = await start({
      answer: ({ headers }) =>
        Number(headers['x-ppai-timestamp']) * 1_000 > Date.now() + 3_590_000
          ? acknowledge(201)
          : refuse('TIMESTAMP_OUT_OF_RANGE', { headers: { date } }),
    });
    expect(await client.transmit(body)).toMatchObject({ ok: true });
    expect(await client.transmit(body)).toMatchObject({ ok: true });
    expect(registry.received).toHaveLength(3);
    expect(new Set(registry.received.map(({ headers }) => headers['x-ppai-nonce'])).size).toBe(3);
  });

  it('returns the error when the corrected clock does not help', async () => {
    const client = await start(inOrder(refuse('TIMESTAMP_OUT_OF_RANGE')));
    expect(await client.transmit(body)).toMatchObject({
      ok: false,
      error: { code: 'TIMESTAMP_OUT_OF_RANGE' },
    });
    expect(registry.received).toHaveLength(2);
  });
});
