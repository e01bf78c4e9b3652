import { SCOPES } from '../../../../shared/contract/enums.ts';
import { API_BASE } from '../../../../shared/contract/machine/endpoints.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { anyAddress, type RawRequest, type TestAnswer } from '../../../env/api/signed-request.ts';
import { captureLog } from '../../../env/capture-log.ts';

const { logger, lines } = captureLog();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, logger });
});
afterAll(() => api.stop());

type Form = Readonly<Record<string, string>>;

const FORM = 'application/x-www-form-urlencoded';

function send(body: string | Buffer, headers: RawRequest['headers'] = {}): Promise<TestAnswer> {
  return api.sendRaw({
    method: 'POST',
    target: `${API_BASE}/oauth/token`,
    headers: { 'content-type': FORM, 'x-forwarded-for': anyAddress(), ...headers },
    body,
  });
}
const sendForm = (form: Form, headers: RawRequest['headers'] = {}) =>
  send(new URLSearchParams(form).toString(), headers);
const sendJson = (body: object) =>
  send(JSON.stringify(body), { 'content-type': 'application/json' });
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;

function grantOf(name: string, more: Form = {}) {
  const { clientId, clientSecret } = api.client(name);
  return {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...more,
  };
}

function expectRefusal(answer: TestAnswer, status: number, code: string) {
  expect({ status: answer.status, code: answer.envelope.error?.code }).toEqual({ status, code });
  expect(answer.envelope).toMatchObject({
    success: false,
    data: null,
    error: { requestId: answer.headers['x-request-id'] },
  });
}

describe('the token endpoint', () => {
  it('issues a bearer token for 900 seconds, in an answer that must not be stored', async () => {
    const { status, headers, envelope } = await sendForm(grantOf('alpha'));
    expect(status).toBe(200);
    expect(envelope).toEqual({
      success: true,
      data: {
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 900,
        scope: SCOPES.join(' '),
      },
      error: null,
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('accepts a form, JSON and HTTP Basic', async () => {
    const { clientId, clientSecret } = api.client('alpha');
    const grant = { grant_type: 'client_credentials' };
    const answers = [
      await sendForm(grantOf('alpha')),
      await sendJson(grantOf('alpha')),
      await sendForm(grant, { authorization: basic(clientId, clientSecret) }),
      await sendForm(
        { ...grant, client_id: clientId },
        { authorization: basic(clientId, clientSecret).replace('Basic', 'basic') },
      ),
      await send(JSON.stringify(grant), {
        'content-type': 'application/json; charset=utf-8',
        authorization: basic(clientId, clientSecret),
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it('form-decodes the id and the secret of Basic credentials', async () => {
    const { db, config } = api.api.context;
    const { hashClientSecret } = await import('../../../../shared/store/access/clients.ts');
    const { id: organizationId } = await db.organization.findUniqueOrThrow({
      where: { code: 'REG' },
    });
    const odd = await db.apiClient.create({
      data: { clientId: 'odd:id', name: 'odd', organizationId, scopes: ['ppai:read'] },
    });
    await db.clientSecret.create({
      data: {
        apiClientId: odd.id,
        kind: 'CLIENT_SECRET',
        version: 1,
        protected: new Uint8Array(hashClientSecret('a b+c:ü%', config.clientSecretPepper[0])),
      },
    });
    const encoded = Buffer.from('odd%3Aid:a+b%2Bc%3A%C3%BC%25').toString('base64');
    expect(
      (await sendForm({ grant_type: 'client_credentials' }, { authorization: `Basic ${encoded}` }))
        .status,
    ).toBe(200);
  });

  it('grants the requested scopes, or all scopes if none is requested', async () => {
    const scopeOf = async (scope: string) =>
      (await sendForm(grantOf('alpha', { scope }))).envelope.data?.['scope'];
    expect(await scopeOf('ppai:read')).toBe('ppai:read');
    expect(await scopeOf('ppai:read  ppai:transmit ppai:read')).toBe('ppai:transmit ppai:read');
    expect(await scopeOf('')).toBe(SCOPES.join(' '));
  });

  it.each([
    ['a scope the client lacks', 'ppai:transmit'],
    ['a scope it has and one it lacks', 'ppai:read ppai:cancel'],
    ['an unknown scope', 'everything'],
  ])('refuses %s with FORBIDDEN and the detail MISSING_SCOPE', async (_what, scope) => {
    const answer = await sendForm(grantOf('alpha-read-only', { scope }));
    expectRefusal(answer, 403, 'FORBIDDEN');
    expect(answer.envelope.error?.details).toEqual([
      {
        level: 3,
        severity: 'ERROR',
        code: 'MISSING_SCOPE',
        field: 'scope',
        message: expect.any(String),
      },
    ]);
    expect(answer.text).not.toContain('everything');
  });

  it('answers a wrong id and a wrong secret in the same way', async () => {
    const { clientId } = api.client('alpha');
    const wrongSecret = await sendForm({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: 'wrong',
    });
    const wrongId = await sendForm({
      grant_type: 'client_credentials',
      client_id: 'nobody',
      client_secret: 'wrong',
    });
    const masked = ({ status, text, headers }: TestAnswer) => ({
      status,
      text: text.replace(headers['x-request-id'] ?? '', ''),
      names: Object.keys(headers).sort(),
    });
    expectRefusal(wrongSecret, 401, 'INVALID_CREDENTIALS');
    expect(masked(wrongId)).toEqual(masked(wrongSecret));
    expect(wrongId.headers['www-authenticate']).toMatch(/^Basic realm=/);
  });

  it('reports that a client is suspended only to a caller with its secret', async () => {
    expectRefusal(await sendForm(grantOf('alpha-suspended')), 403, 'FORBIDDEN');
    expectRefusal(
      await sendForm(grantOf('alpha-suspended', { client_secret: 'wrong' })),
      401,
      'INVALID_CREDENTIALS',
    );
  });

  it.each([
    ['no colon', `Basic ${Buffer.from('nothing').toString('base64')}`],
    ['no base64', 'Basic ???'],
    ['a broken escape', `Basic ${Buffer.from('a%zz:b').toString('base64')}`],
    ['another scheme', 'Bearer abc'],
    ['nothing', ''],
  ])(
    'answers an Authorization header with %s with INVALID_CREDENTIALS',
    async (_what, authorization) => {
      expectRefusal(
        await sendForm({ grant_type: 'client_credentials' }, { authorization }),
        401,
        'INVALID_CREDENTIALS',
      );
    },
  );

  it('refuses credentials given in two ways', async () => {
    const { clientId, clientSecret } = api.client('alpha');
    expectRefusal(
      await sendForm(grantOf('alpha'), { authorization: basic(clientId, clientSecret) }),
      422,
      'VALIDATION_FAILED',
    );
    expectRefusal(
      await sendForm(
        { grant_type: 'client_credentials', client_id: 'other' },
        { authorization: basic(clientId, clientSecret) },
      ),
      422,
      'VALIDATION_FAILED',
    );
  });

  it.each([
    ['another grant type', { grant_type: 'password' }, 'grant_type'],
    ['an empty client id', { client_id: '' }, 'client_id'],
    ['a client id of 101 characters', { client_id: 'c'.repeat(101) }, 'client_id'],
    ['a secret of 257 characters', { client_secret: 's'.repeat(257) }, 'client_secret'],
    ['a scope of 201 characters', { scope: 's'.repeat(201) }, 'scope'],
  ])('answers %s with VALIDATION_FAILED', async (_what, more, field) => {
    const answer = await sendForm(grantOf('alpha', more));
    expectRefusal(answer, 422, 'VALIDATION_FAILED');
    expect(answer.envelope.error?.details).toEqual([
      expect.objectContaining({ field, code: 'INVALID_FORMAT', level: 2 }),
    ]);
  });

  it.each([
    ['an empty form', FORM, ''],
    [
      'a parameter given twice',
      FORM,
      'grant_type=client_credentials&grant_type=client_credentials',
    ],
    ['a NUL', FORM, 'grant_type=client_credentials&client_id=%00&client_secret=x'],
    ['broken JSON', 'application/json', '{'],
    [
      'JSON with a NUL',
      'application/json',
      '{"grant_type":"client_credentials","client_id":"\\u0000","client_secret":"x"}',
    ],
    ['no JSON object', 'application/json', '[]'],
    ['another content type', 'text/plain', 'grant_type=client_credentials'],
    ['no content type', '', 'grant_type=client_credentials'],
  ])('answers %s with VALIDATION_FAILED', async (_what, contentType, body) => {
    expectRefusal(await send(body, { 'content-type': contentType }), 422, 'VALIDATION_FAILED');
  });

  it('refuses a body over 1 MB', async () => {
    expectRefusal(await send(`grant_type=${'x'.repeat(1_100_000)}`), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('neither stores nor logs a token or a secret in plain text', async () => {
    const { envelope } = await sendForm(grantOf('bravo'));
    const token = String(envelope.data?.['access_token']);
    const { db } = api.api.context;
    const [row] = await db.$queryRaw<{ dump: string }[]>`
      SELECT string_agg(t.token_hash::text, ' ') || (SELECT string_agg(s.protected::text, ' ') FROM client_secrets s) AS dump FROM access_tokens t`;
    const { clientSecret, signingSecret } = api.client('bravo');
    const log = lines.join('');
    expect(log).toContain('request answered');
    for (const secret of [token, clientSecret, signingSecret]) {
      expect(row?.dump).not.toContain(Buffer.from(secret).toString('hex'));
      expect(log).not.toContain(secret);
    }
  });
});
