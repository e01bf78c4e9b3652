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

function sendForm(form: Form, headers: Form = {}): Promise<TestAnswer> {
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
  it('has 20 requests per minute, successful or not, independently of other addresses', async () => {
    const address = anyAddress();
    const from = { 'x-forwarded-for': address };
    const answers: TestAnswer[] = [];
    for (let count = 0; count < 21; count += 1)
      answers.push(await sendForm(count % 2 === 0 ? grantOf('alpha') : { grant_type: 'x' }, from));
    expect(answers.slice(0, 20).map(({ status }) => status)).not.toContain(429);
    const last = answers.at(-1) as TestAnswer;
    expectRefusal(last, 429, 'RATE_LIMITED');
    expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"token";q=20;w=60');
    expect(answers[0]?.headers['ratelimit']).toMatch(/^"token";r=19;t=\d+$/);
    expect(answers[1]?.headers['ratelimit']).toMatch(/^"token";r=18;t=\d+$/);
    expect(last.headers['ratelimit']).toMatch(/^"token";r=0;t=\d+$/);
    expect((await sendForm(grantOf('alpha'))).status).toBe(200);
  });

  it('is the one that the trusted proxy appends, not one that the caller sends', async () => {
    const address = anyAddress();
    for (let count = 0; count < 20; count += 1)
      await sendForm({}, { 'x-forwarded-for': `${anyAddress()}, ${address}` });
    expectRefusal(
      await sendForm({}, { 'x-forwarded-for': `${anyAddress()}, ${address}` }),
      429,
      'RATE_LIMITED',
    );
  });

  it('is the same for every notation of an IPv4 address', async () => {
    const address = anyAddress();
    const forms = [address, `${address}:40312`, `::ffff:${address}`, `[::ffff:${address}]:40312`];
    for (let count = 0; count < 20; count += 1)
      await sendForm({}, { 'x-forwarded-for': forms[count % 4] });
    for (const form of forms)
      expectRefusal(await sendForm({}, { 'x-forwarded-for': form }), 429, 'RATE_LIMITED');
  });

  it('must be on the allowlist of the client, which is reported only to a caller with the secret', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const form = grantOf('alpha-allowlisted');
    expect((await sendForm(form, from('203.0.113.7'))).status).toBe(200);
    const outside = anyAddress();
    const answer = await sendForm({ ...form, scope: 'nothing' }, from(outside));
    expectRefusal(answer, 403, 'IP_NOT_ALLOWED');
    expect(answer.envelope.error?.message).toContain(` ${outside},`);
    const wrong = { ...form, client_secret: 'wrong' };
    expectRefusal(await sendForm(wrong, from(outside)), 401, 'INVALID_CREDENTIALS');
  });

  it('is IP_NOT_ALLOWED if the proxy does not report it', async () => {
    const answer = await sendForm(grantOf('alpha'), { 'x-forwarded-for': 'unknown' });
    expectRefusal(answer, 403, 'IP_NOT_ALLOWED');
    expect(answer.envelope.error?.message).toContain('X-Forwarded-For');
  });
});
