import { API_BASE } from '../../../../shared/contract/machine/endpoints.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { anyAddress, type TestAnswer } from '../../../env/api/signed-request.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterAll(() => api.stop());

type Form = Readonly<Record<string, string | undefined>>;

function askForm(form: Form, headers: Form = {}): Promise<TestAnswer> {
  const given = Object.entries(form).map(([name, value]) => [name, value ?? '']);
  return api.sendRaw({
    method: 'POST',
    target: `${API_BASE}/oauth/token`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': anyAddress(),
      ...headers,
    },
    body: new URLSearchParams(Object.fromEntries(given)).toString(),
  });
}

function grantOf(name: string): Form {
  const { clientId, clientSecret } = api.client(name);
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
}

function expectRefusal(answer: TestAnswer, status: number, code: string) {
  expect({ status: answer.status, code: answer.envelope.error?.code }).toEqual({ status, code });
}

describe('the address of a token request', () => {
  it('has 20 requests a minute, whatever came of them, and other addresses have theirs', async () => {
    const address = anyAddress();
    const from = { 'x-forwarded-for': address };
    const answers: TestAnswer[] = [];
    for (let count = 0; count < 21; count += 1)
      answers.push(await askForm(count % 2 === 0 ? grantOf('alpha') : { grant_type: 'x' }, from));
    expect(answers.slice(0, 20).map(({ status }) => status)).not.toContain(429);
    const last = answers.at(-1) as TestAnswer;
    expectRefusal(last, 429, 'RATE_LIMITED');
    expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"token";q=20;w=60');
    expect(answers[0]?.headers['ratelimit']).toMatch(/^"token";r=19;t=\d+$/);
    expect(answers[1]?.headers['ratelimit']).toMatch(/^"token";r=18;t=\d+$/);
    expect(last.headers['ratelimit']).toMatch(/^"token";r=0;t=\d+$/);
    expect((await askForm(grantOf('alpha'))).status).toBe(200);
  });

  it('is the one behind trusted proxies, not what a caller claims before it', async () => {
    const address = anyAddress();
    for (let count = 0; count < 20; count += 1)
      await askForm({}, { 'x-forwarded-for': `${anyAddress()}, ${address}` });
    expectRefusal(
      await askForm({}, { 'x-forwarded-for': `${anyAddress()}, ${address}` }),
      429,
      'RATE_LIMITED',
    );
  });

  it('is one for IPv4, however a proxy writes it', async () => {
    const address = anyAddress();
    const forms = [address, `${address}:40312`, `::ffff:${address}`, `[::ffff:${address}]:40312`];
    for (let count = 0; count < 20; count += 1)
      await askForm({}, { 'x-forwarded-for': forms[count % 4] });
    for (const form of forms)
      expectRefusal(await askForm({}, { 'x-forwarded-for': form }), 429, 'RATE_LIMITED');
  });

  it('gets no token outside the allowlist of the client, and nobody else is told', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const form = grantOf('alpha-allowlisted');
    expect((await askForm(form, from('203.0.113.7'))).status).toBe(200);
    const outside = anyAddress();
    const answer = await askForm({ ...form, scope: 'nothing' }, from(outside));
    expectRefusal(answer, 403, 'IP_NOT_ALLOWED');
    expect(answer.envelope.error?.message).toContain(` ${outside},`);
    const wrong = { ...form, client_secret: 'wrong' };
    expectRefusal(await askForm(wrong, from(outside)), 401, 'INVALID_CREDENTIALS');
  });

  it('is IP_NOT_ALLOWED through a proxy that reports no address', async () => {
    const answer = await askForm(grantOf('alpha'), { 'x-forwarded-for': 'unknown' });
    expectRefusal(answer, 403, 'IP_NOT_ALLOWED');
    expect(answer.envelope.error?.message).toContain('X-Forwarded-For');
  });
});
