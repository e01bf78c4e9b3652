import {
  nowSeconds,
  OTHER_SIGNATURE,
  READ,
  TRANSMIT,
  useProbeApi,
} from '../../../env/api/probe-api.ts';
import { anyAddress, newNonce } from '../../../env/api/signed-request.ts';

const { probe, api, expectRefusal } = useProbeApi();

describe('the rate limit step', () => {
  it('reports quota and remaining requests, and refuses requests over the quota with the time to wait', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 121; round += 1)
      statuses.push((await api().send('alpha-default-rate', READ)).status);
    expect(statuses.slice(0, 120).every((status) => status === 200)).toBe(true);
    probe.seen();
    const answer = await expectRefusal('alpha-default-rate', READ, 429, 'RATE_LIMITED');
    expect(answer.headers['ratelimit-policy']).toBe('"client";q=120;w=60');
    expect(answer.headers['ratelimit']).toMatch(/^"client";r=0;t=\d+$/);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  it('sets the rate limit headers on successes and on later failures', async () => {
    const good = await api().send('bravo', READ);
    const malformed = await api().send('bravo', { path: '/ppai/policies', body: 'no JSON' });
    expect(malformed.status).toBe(422);
    for (const { headers } of [good, malformed]) {
      expect(headers['ratelimit-policy']).toBe('"client";q=600000;w=60');
      expect(headers['ratelimit']).toMatch(/^"client";r=\d+;t=\d+$/);
    }
  });

  it('is not reached with a wrong signature, so that others cannot use up a quota', async () => {
    const remaining = async () =>
      Number(/r=(\d+)/.exec((await api().send('charlie', READ)).headers['ratelimit'] ?? '')?.[1]);
    const before = await remaining();
    probe.seen();
    await expectRefusal(
      'charlie',
      { ...READ, headers: { 'x-ppai-signature': OTHER_SIGNATURE } },
      401,
      'INVALID_SIGNATURE',
    );
    expect(await remaining()).toBeGreaterThanOrEqual(before - 1);
  });
});

describe('the scope step', () => {
  it('refuses an operation whose scope the token lacks before the body is read', async () => {
    const answer = await expectRefusal(
      'alpha-read-only',
      { ...TRANSMIT, body: 'no JSON' },
      403,
      'FORBIDDEN',
    );
    expect(answer.envelope.error?.details).toEqual([
      {
        level: 3,
        severity: 'ERROR',
        code: 'MISSING_SCOPE',
        field: null,
        message: expect.stringContaining('ppai:transmit'),
      },
    ]);
  });

  it.each([
    ['/ppai/policies/search', 'GET'],
    ['/ppai/policies/PPAI-2026-000000001', 'GET'],
    ['/ppai/transmissions/X', 'GET'],
    ['/ppai/policies', 'POST'],
    ['/ppai/policies/PPAI-2026-000000001/amendments', 'POST'],
    ['/ppai/policies/PPAI-2026-000000001/cancellation', 'POST'],
  ])('refuses %s to a client with only the scope vehicles:verify', async (path, method) => {
    const token = await issueFreshToken('verifier');
    await expectRefusal(
      'verifier',
      { path, method, token, ...(method === 'POST' ? { body: {} } : {}) },
      403,
      'FORBIDDEN',
    );
  });

  it('refuses an operation as soon as the client loses its scope', async () => {
    const { db } = api().api.context;
    const { clientId } = api().client('charlie');
    await db.apiClient.update({ where: { clientId }, data: { scopes: ['ppai:transmit'] } });
    await expectRefusal('charlie', READ, 403, 'FORBIDDEN');
  });
});

describe('the order of the authentication steps', () => {
  it('makes the first failing step answer, even if later ones fail as well', async () => {
    const everythingWrong = {
      authorization: 'Bearer nope',
      'x-ppai-client-id': 'x',
      'x-forwarded-for': '198.51.100.1',
      'x-ppai-timestamp': '1',
      'x-ppai-nonce': 'x',
      'x-ppai-signature': 'x',
      'content-type': 'text/plain',
    };
    const headersWithout = async (...names: (keyof typeof everythingWrong)[]) =>
      Object.fromEntries(
        Object.entries(everythingWrong).filter(([name]) => !(names as string[]).includes(name)),
      );
    const send = async (...names: (keyof typeof everythingWrong)[]) => {
      const headers = {
        ...(await headersWithout(...names)),
        ...(names.includes('x-forwarded-for') ? { 'x-forwarded-for': '203.0.113.9' } : {}),
      };
      const answer = await api().send('alpha-allowlisted', {
        path: '/ppai/policies',
        body: 'no JSON',
        headers,
      });
      return answer.envelope.error?.code;
    };
    expect(await send()).toBe('INVALID_TOKEN');
    expect(await send('authorization')).toBe('INVALID_TOKEN');
    expect(await send('authorization', 'x-ppai-client-id')).toBe('IP_NOT_ALLOWED');
    expect(await send('authorization', 'x-ppai-client-id', 'x-forwarded-for')).toBe(
      'TIMESTAMP_OUT_OF_RANGE',
    );
    expect(
      await send('authorization', 'x-ppai-client-id', 'x-forwarded-for', 'x-ppai-timestamp'),
    ).toBe('INVALID_SIGNATURE');
    expect(
      await send(
        'authorization',
        'x-ppai-client-id',
        'x-forwarded-for',
        'x-ppai-timestamp',
        'x-ppai-nonce',
        'x-ppai-signature',
      ),
    ).toBe('VALIDATION_FAILED');
    expect(probe.seen()).toEqual([]);
  });
});

it('replays are refused after the nonces were lost', async () => {
  const request = { ...READ, nonce: newNonce(), timestamp: nowSeconds() };
  const ahead = { ...READ, nonce: newNonce(), timestamp: nowSeconds() + 2 };
  expect((await api().send('alpha', request)).status).toBe(200);
  expect((await api().send('alpha', ahead)).status).toBe(200);
  probe.seen();
  await api().loseNonces();
  await expectRefusal('alpha', request, 401, 'TIMESTAMP_OUT_OF_RANGE');
  expect((await api().send('alpha', ahead)).status).toBe(401);
  await new Promise((done) => setTimeout(done, 3_100));
  expect((await api().send('alpha', READ)).status).toBe(200);
  expect((await api().send('alpha', ahead)).status).toBe(401);
});

async function issueFreshToken(name: string): Promise<string> {
  const { clientId, clientSecret } = api().client(name);
  const { envelope } = await api().sendRaw({
    method: 'POST',
    target: '/api/v1/oauth/token',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress() },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  return String(envelope.data?.['access_token']);
}
