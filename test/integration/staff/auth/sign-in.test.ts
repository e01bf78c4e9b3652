import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { STEP_MS, useSignInApi } from '../../../env/staff/sign-in-api.ts';
import {
  addStaffUser,
  codeOf,
  login,
  makeBrowser,
  outcomeOf as outcome,
  refused,
  STAFF_PASSWORD,
  setCookies,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

const world = useSignInApi();
const { clock } = world;

describe('the first sign-in', () => {
  it('asks for an enrollment, returns a secret and, once it is confirmed, ten recovery codes', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    const started = await login(browser);
    expect(started.envelope).toEqual({
      success: true,
      data: { next: 'MFA_ENROLLMENT_REQUIRED' },
      error: null,
    });
    const enrolling = await browser.post('/auth/v1/mfa/enroll');
    const secret = String(enrolling.envelope.data?.['secret']);
    const uri = new URL(String(enrolling.envelope.data?.['otpauthUri']));
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual([
      'otpauth:',
      'totp',
      secret,
    ]);

    const { status, envelope } = await verify(browser, codeOf(secret, clock));
    const { recoveryCodes, ...session } = envelope.data as { recoveryCodes: string[] };
    expect({ status, session }).toEqual({
      status: 200,
      session: {
        user: { id: browser.userId, email: browser.email, role: 'REVIEWER' },
        permissions: expect.arrayContaining(['flags:review']),
        passwordChangeDue: false,
        recoveryCodesLeft: 10,
        secondFactorFreshUntil: new Date(clock.now().getTime() + 15 * 60_000).toISOString(),
        idleExpiresAt: new Date(clock.now().getTime() + 15 * 60_000).toISOString(),
        expiresAt: new Date(clock.now().getTime() + 8 * 3_600_000).toISOString(),
      },
    });
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await browser.get('/auth/v1/session')).toMatchObject({
      status: 200,
      envelope: { data: session },
    });
  });

  it('accepts only the latest secret if the enrollment is started twice', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    await login(browser);
    const first = await browser.post('/auth/v1/mfa/enroll');
    const second = await browser.post('/auth/v1/mfa/enroll');
    const codeFrom = ({ envelope }: TestAnswer) => codeOf(String(envelope.data?.['secret']), clock);
    expect(outcome(await verify(browser, codeFrom(first)))).toEqual(
      refused(401, 'INVALID_MFA_CODE'),
    );
    expect((await verify(browser, codeFrom(second))).status).toBe(200);
  });

  it('enrolls one secret when two sign-ins confirm theirs; the other gets CONFLICT', async () => {
    const [one, other] = [await addStaffUser(world.api, 'AUDITOR'), makeBrowser(world.api)];
    Object.assign(other, { email: one.email });
    const codes = [];
    for (const browser of [one, other]) {
      await login(browser);
      const { envelope } = await browser.post('/auth/v1/mfa/enroll');
      codes.push(codeOf(String(envelope.data?.['secret']), clock));
    }
    expect((await verify(one, codes[0] ?? '')).status).toBe(200);
    expect(outcome(await verify(other, codes[1] ?? ''))).toEqual(refused(409, 'CONFLICT'));
  });

  it('answers MFA_REQUIRED to a code before the enrollment', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    await login(browser);
    expect(outcome(await verify(browser, '123456'))).toEqual(refused(401, 'MFA_REQUIRED'));
  });
});

describe('a later sign-in', () => {
  it('asks for the code, and changes the id of the cookie at each step', async () => {
    const browser = await addStaffUser(world.api, 'ADMINISTRATOR');
    const ids: (string | undefined)[] = [];
    const note = () =>
      ids.push(browser.cookies.get('ppai-challenge'), browser.cookies.get('ppai-session'));
    await login(browser);
    note();
    const { envelope } = await browser.post('/auth/v1/mfa/enroll');
    note();
    const secret = String(envelope.data?.['secret']);
    await verify(browser, codeOf(secret, clock));
    note();
    clock.advance(STEP_MS);
    expect((await login(browser)).envelope.data).toEqual({ next: 'MFA_REQUIRED' });
    note();
    const signedIn = await verify(browser, codeOf(secret, clock));
    expect(signedIn).toMatchObject({ status: 200, envelope: { data: { recoveryCodes: null } } });
    note();
    const given = ids.filter((id) => id !== undefined);
    expect(given).toHaveLength(6);
    expect(new Set(given).size).toBe(5);
    expect(browser.cookies.has('ppai-challenge')).toBe(false);
  });

  it("ends the browser's earlier session, and never accepts an id that the browser chose", async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    const before = browser.cookies.get('ppai-session') ?? '';
    clock.advance(STEP_MS);
    browser.cookies.set('ppai-challenge', 'chosen-by-somebody-else');
    await login(browser);
    expect(browser.cookies.get('ppai-challenge')).toMatch(/^[\w-]{43}$/);
    await verify(browser, codeOf(browser.secret, clock));
    browser.cookies.set('ppai-session', before);
    expect(outcome(await browser.get('/auth/v1/session'))).toEqual(refused(401, 'SESSION_EXPIRED'));
  });

  it('accepts the address in upper and lower case', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    const body = { email: ` ${browser.email.toUpperCase()}`, password: STAFF_PASSWORD };
    expect((await browser.post('/auth/v1/login', body)).status).toBe(200);
  });

  it('allows nothing with only a challenge: MFA_REQUIRED', async () => {
    const browser = await addStaffUser(world.api, 'ADMINISTRATOR');
    await login(browser);
    for (const path of ['/auth/v1/session', '/admin/v1/users', '/admin/v1/openapi.json']) {
      expect(outcome(await browser.get(path))).toEqual(refused(401, 'MFA_REQUIRED'));
    }
    browser.cookies.set('ppai-session', browser.cookies.get('ppai-challenge') ?? '');
    browser.cookies.delete('ppai-challenge');
    expect(outcome(await browser.get('/auth/v1/session'))).toEqual(refused(401, 'SESSION_EXPIRED'));
  });

  it('gets CONFLICT for a second enrollment, with a challenge or a session', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    expect(outcome(await browser.post('/auth/v1/mfa/enroll'))).toEqual(refused(409, 'CONFLICT'));
    await login(browser);
    expect(outcome(await browser.post('/auth/v1/mfa/enroll'))).toEqual(refused(409, 'CONFLICT'));
  });
});

describe('a proxy that reports no address', () => {
  it('is never treated as the caller: sign-ins and sessions are refused, and no sign-in is counted', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    const headers = { 'x-forwarded-for': '192.0.2.7, unknown' };
    const body = { email: browser.email, password: STAFF_PASSWORD };
    for (let count = 0; count < 11; count += 1) {
      const answer = await browser.send({ path: '/auth/v1/login', body, headers });
      expect(outcome(answer)).toEqual(refused(403, 'IP_NOT_ALLOWED'));
      expect(answer.envelope.error?.message).toContain('X-Forwarded-For');
    }
    expect(outcome(await browser.send({ path: '/auth/v1/session', headers }))).toEqual(
      refused(403, 'IP_NOT_ALLOWED'),
    );
    expect((await browser.get('/auth/v1/session')).status).toBe(200);
  });
});

describe('cookies', () => {
  it('are HttpOnly and SameSite=Strict, and plain over local HTTP', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    const [line] = setCookies(await login(browser));
    expect(line).toMatch(/^ppai-challenge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it.each([
    ['behind HTTPS', { 'x-forwarded-proto': 'https' }, 'https'],
    ['over HTTP under the name of another machine', { host: 'staff.example.org' }, 'http'],
  ])('are Secure under a __Host- name %s', async (_where, headers, scheme) => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    const host = 'host' in headers ? headers.host : new URL(world.api.baseUrl).host;
    const answer = await browser.send({
      path: '/auth/v1/login',
      body: { email: browser.email, password: STAFF_PASSWORD },
      headers: { ...headers, origin: `${scheme}://${host}` },
    });
    expect(setCookies(answer)).toEqual([
      expect.stringMatching(
        /^__Host-ppai-challenge=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ]);
  });

  it('are ignored over HTTPS without the __Host- name', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    const cookie = `ppai-session=${browser.cookies.get('ppai-session')}`;
    const answer = await browser.send({
      path: '/auth/v1/session',
      headers: { cookie, 'x-forwarded-proto': 'https' },
    });
    expect(outcome(answer)).toEqual(refused(401, 'UNAUTHENTICATED'));
  });
});
