import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import {
  addStaffUser,
  makeBrowser,
  STAFF_PASSWORD,
  type StaffBrowser,
  signInAs,
} from '../../../env/staff/staff.ts';

const ALLOWED_ORIGIN = 'https://staff.example.org';
let api: TestApi;
let browser: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({
    handlers: makeProbe().handlers,
    environment: { ADMIN_ALLOWED_ORIGINS: ALLOWED_ORIGIN },
  });
  browser = await signInAs(api, 'ADMINISTRATOR');
});
afterAll(() => api.stop());

type Headers = Readonly<Record<string, string | undefined>>;
const outcome = ({ status, envelope }: TestAnswer) => ({ status, code: envelope.error?.code });
const refused = { status: 403, code: 'CSRF_FAILED' };

const WRONG: readonly (readonly [string, Headers])[] = [
  ['without X-PPAI-CSRF', { 'x-ppai-csrf': undefined }],
  ['with another X-PPAI-CSRF', { 'x-ppai-csrf': '0' }],
  ['without an Origin', { origin: undefined }],
  ['from the Origin null', { origin: 'null' }],
  ['from another site', { origin: 'https://evil.example' }],
  ['from the same host under another scheme', { origin: 'https://127.0.0.1' }],
  ['from another port', { origin: 'http://127.0.0.1:1' }],
  [
    'from an Origin that only starts with an allowed one',
    { origin: `${ALLOWED_ORIGIN}.evil.example` },
  ],
];

describe.each([
  ['a sign-in', 'POST', '/auth/v1/login', { email: 'a@b.example', password: 'x' }],
  ['a second factor', 'POST', '/auth/v1/mfa/verify', { code: '123456' }],
  ['signing out', 'POST', '/auth/v1/logout', undefined],
  [
    'an administrative change',
    'POST',
    '/admin/v1/users',
    { email: 'a@b.example', role: 'AUDITOR' },
  ],
  [
    'a PUT request',
    'PUT',
    '/admin/v1/users/5f0c7c2e-52b0-4f29-9a52-6f0b8a0f2b51/role',
    { role: 'AUDITOR' },
  ],
])('%s', (_what, method, path, body) => {
  it.each(WRONG)('is CSRF_FAILED %s, and does nothing', async (_why, headers) => {
    const before = await countAll();
    const answer = await browser.send({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect(outcome(answer)).toEqual(refused);
    expect(await countAll()).toEqual(before);
  });
});

describe('an allowed Origin', () => {
  it.each([
    ['can be that of the API, without configuration', () => ({ origin: api.baseUrl })],
    [
      'can be that of the API as a proxy forwards it',
      () => ({
        origin: 'https://registry.example.org',
        host: 'registry.example.org',
        'x-forwarded-proto': 'https',
      }),
    ],
    ['can be configured', () => ({ origin: ALLOWED_ORIGIN })],
  ])('%s', async (_what, headers) => {
    const user = await addStaffUser(api, 'REVIEWER');
    const body = { email: user.email, password: STAFF_PASSWORD };
    const answer = await makeBrowser(api).send({
      path: '/auth/v1/login',
      body,
      headers: headers(),
    });
    expect(answer.status).toBe(200);
  });

  it('may read answers and send preflight requests; others get no CORS headers', async () => {
    const preflight = (origin: string) =>
      browser.send({
        method: 'OPTIONS',
        path: '/admin/v1/users',
        headers: { origin, 'access-control-request-method': 'POST', cookie: undefined },
      });
    expect(await preflight(ALLOWED_ORIGIN)).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': ALLOWED_ORIGIN,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': expect.stringContaining('x-ppai-csrf'),
      },
    });
    const refusedPreflight = await preflight('https://evil.example');
    expect(outcome(refusedPreflight)).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(refusedPreflight.headers['access-control-allow-origin']).toBeUndefined();
    const read = await browser.send({
      path: '/auth/v1/session',
      headers: { origin: ALLOWED_ORIGIN },
    });
    expect(read.headers['access-control-allow-origin']).toBe(ALLOWED_ORIGIN);
  });
});

describe('a GET', () => {
  it('needs neither CSRF header nor Origin', async () => {
    expect((await browser.get('/auth/v1/session')).status).toBe(200);
  });
});

describe('an unknown route of the staff realm', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'is NOT_FOUND in the envelope for %s',
    async (method) => {
      for (const path of ['/admin/v1/nothing', '/auth/v1/login/', '/admin', '/Admin/v1/users']) {
        const answer = await browser.send({ method, path });
        expect(answer.status).toBe(404);
        if (method !== 'HEAD') expect(answer.envelope.error?.code).toBe('NOT_FOUND');
      }
    },
  );
});

async function countAll(): Promise<unknown> {
  const { db } = api.api.context;
  return Promise.all([
    db.staffUser.count(),
    db.staffSession.count(),
    db.auditEntry.count(),
    db.staffSignInFailures.count(),
  ]);
}

describe('behind a local proxy that replaces Host', () => {
  it('cookies are still Secure, and the sign-in works', async () => {
    const { email, cookies } = await addStaffUser(api, 'REVIEWER');
    const answer = await makeBrowser(api).send({
      path: '/auth/v1/login',
      body: { email, password: STAFF_PASSWORD },
      // Only the Origin shows the scheme and host that the browser used.
      headers: { origin: ALLOWED_ORIGIN },
    });
    expect(cookies.size).toBe(0);
    const [line = ''] = [answer.headers['set-cookie'] ?? ''].flat();
    expect(line).toMatch(
      /^__Host-ppai-challenge=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const [cookie] = line.split(';');
    const next = await makeBrowser(api).send({
      path: '/auth/v1/mfa/enroll',
      body: {},
      headers: { origin: ALLOWED_ORIGIN, cookie },
    });
    expect(next.status).toBe(200);
  });

  it('a plain cookie is ignored, with any Host', async () => {
    const user = await signInAs(api, 'REVIEWER');
    const token = user.cookies.get('__Host-ppai-session');
    expect(token).toMatch(/^[\w-]{43}$/);
    const answer = await makeBrowser(api).send({
      path: '/auth/v1/session',
      headers: { cookie: `ppai-session=${token}` },
    });
    expect(outcome(answer)).toEqual({ status: 401, code: 'UNAUTHENTICATED' });
  });
});
