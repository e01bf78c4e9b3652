import { API_BASE } from '../../../../shared/contract/machine/endpoints.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { captureLog } from '../../../env/capture-log.ts';

const { logger, lines } = captureLog();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, logger });
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.tokenOf('alpha');
  lines.length = 0;
});

interface Line {
  readonly msg: string;
  readonly code?: string;
  readonly address?: string;
  readonly clientId?: string;
}

const logged = (msg: string) =>
  lines.map((line) => JSON.parse(line) as Line).filter((line) => line.msg === msg);

async function countRefusals(kind: string, code: string): Promise<number> {
  const { values } = await api.api.context.metrics.refusals.get();
  return values.find(({ labels }) => labels.kind === kind && labels.code === code)?.value ?? 0;
}

function requestToken(form: Readonly<Record<string, string>>, address: string) {
  return api.sendRaw({
    method: 'POST',
    target: `${API_BASE}/oauth/token`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': address,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });
}

const SEARCH = { path: '/ppai/policies/search?plateNumber=NCR1001' };

describe('a token request', () => {
  it('is logged with network address, client id and code when refused, and counted by code', async () => {
    const { clientId } = api.client('alpha');
    const before = await countRefusals('token', 'INVALID_CREDENTIALS');
    const answer = await requestToken(
      { client_id: clientId, client_secret: 'wrong' },
      '203.0.113.20',
    );
    expect(answer.status).toBe(401);
    expect(logged('token request refused')).toEqual([
      expect.objectContaining({
        code: 'INVALID_CREDENTIALS',
        address: '203.0.113.20',
        clientId,
        requestId: answer.headers['x-request-id'],
      }),
    ]);
    expect(await countRefusals('token', 'INVALID_CREDENTIALS')).toBe(before + 1);
  });

  it('is logged without a malformed client id, because that may be a secret', async () => {
    const { clientId, clientSecret } = api.client('alpha');
    await requestToken({ client_id: clientSecret, client_secret: clientId }, '203.0.113.21');
    const [line] = logged('token request refused');
    expect(line).toMatchObject({ address: '203.0.113.21' });
    expect(line).not.toHaveProperty('clientId');
    expect(lines.join('')).not.toContain(clientSecret);
  });

  it('is also logged when its address exceeds the rate limit', async () => {
    for (let at = 0; at < 21; at += 1) {
      await requestToken(
        { client_id: 'ppai-000000000000000000', client_secret: 'x' },
        '203.0.113.22',
      );
    }
    expect(logged('token request refused').at(-1)).toMatchObject({
      code: 'RATE_LIMITED',
      address: '203.0.113.22',
    });
  });

  it('is not logged as refused when a token is issued or the request is only malformed', async () => {
    const { clientId, clientSecret } = api.client('alpha');
    const secrets = { client_id: clientId, client_secret: clientSecret };
    expect((await requestToken(secrets, '203.0.113.23')).status).toBe(200);
    expect(
      (await requestToken({ ...secrets, grant_type: 'password' }, '203.0.113.23')).status,
    ).toBe(422);
    expect(logged('token request refused')).toEqual([]);
  });
});

describe('a signed request', () => {
  it('is logged with network address, client id and code when refused, and counted by code', async () => {
    const { clientId } = api.client('alpha');
    const before = await countRefusals('request', 'INVALID_SIGNATURE');
    const answer = await api.send('alpha', {
      ...SEARCH,
      signed: { secret: 'another secret' },
      headers: { 'x-forwarded-for': '203.0.113.24' },
    });
    expect(answer.status).toBe(401);
    expect(logged('signed request refused')).toEqual([
      expect.objectContaining({ code: 'INVALID_SIGNATURE', address: '203.0.113.24', clientId }),
    ]);
    expect(await countRefusals('request', 'INVALID_SIGNATURE')).toBe(before + 1);
  });

  it('is logged with the client id that it names if its token is invalid', async () => {
    const { clientId } = api.client('alpha');
    await api.send('alpha', {
      ...SEARCH,
      token: 'A'.repeat(43),
      headers: { 'x-forwarded-for': '203.0.113.25' },
    });
    expect(logged('signed request refused')).toEqual([
      expect.objectContaining({ code: 'INVALID_TOKEN', address: '203.0.113.25', clientId }),
    ]);
  });

  it.each([
    ['alpha-allowlisted', 'IP_NOT_ALLOWED'],
    ['alpha-read-only', 'FORBIDDEN'],
  ])('of %s is logged as refused with the code %s', async (name, code) => {
    await api.tokenOf(name);
    lines.length = 0;
    await api.send(name, {
      path: '/ppai/policies',
      body: {},
      headers: { 'x-forwarded-for': '198.51.100.26' },
    });
    expect(logged('signed request refused')).toMatchObject([
      { code, address: '198.51.100.26', clientId: api.client(name).clientId },
    ]);
  });

  it('is not logged as refused when it passes authentication', async () => {
    expect((await api.send('alpha', SEARCH)).status).toBe(200);
    expect(logged('signed request refused')).toEqual([]);
  });
});
