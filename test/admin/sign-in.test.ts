import { makeMovableClock } from '../../shared/platform/clock.ts';
import { startTestApi, type TestAnswer, type TestApi } from '../env/api-env.ts';
import { makeProbe } from '../env/probe-handlers.ts';
import {
  addStaffUser,
  codeOf,
  enroll,
  makeBrowser,
  STAFF_PASSWORD,
  type StaffBrowser,
  setCookies,
  signInAs,
} from '../env/staff.ts';

const STEP_MS = 30_000;
const clock = makeMovableClock(new Date('2026-11-20T08:00:00Z'));
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, clock });
});
afterAll(() => api.stop());
beforeEach(() => clock.advance(2 * STEP_MS));

const login = (browser: StaffBrowser, password = STAFF_PASSWORD) =>
  browser.post('/auth/v1/login', { email: browser.email, password });
const verify = (browser: StaffBrowser, code: string) =>
  browser.post('/auth/v1/mfa/verify', { code });
const outcome = ({ status, envelope }: TestAnswer) => ({ status, code: envelope.error?.code });
const refused = (status: number, code: string) => ({ status, code });

describe('the first sign-in', () => {
  it('asks for an enrollment, hands out a secret and, once it is confirmed, ten recovery codes', async () => {
    const browser = await addStaffUser(api, 'REVIEWER');
    const begun = await login(browser);
    expect(begun.envelope).toEqual({
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
        passwordChangeDue: true,
        recoveryCodesLeft: 10,
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

  it('keeps to the latest secret when the enrollment is begun twice', async () => {
    const browser = await addStaffUser(api, 'REVIEWER');
    await login(browser);
    const first = await browser.post('/auth/v1/mfa/enroll');
    const second = await browser.post('/auth/v1/mfa/enroll');
    const codeFrom = ({ envelope }: TestAnswer) => codeOf(String(envelope.data?.['secret']), clock);
    expect(outcome(await verify(browser, codeFrom(first)))).toEqual(
      refused(401, 'INVALID_MFA_CODE'),
    );
    expect((await verify(browser, codeFrom(second))).status).toBe(200);
  });

  it('enrolls one secret when two sign-ins confirm theirs, and tells the other CONFLICT', async () => {
    const [one, other] = [await addStaffUser(api, 'AUDITOR'), makeBrowser(api)];
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

  it('answers MFA_REQUIRED to a code before anything is enrolled', async () => {
    const browser = await addStaffUser(api, 'REVIEWER');
    await login(browser);
    expect(outcome(await verify(browser, '123456'))).toEqual(refused(401, 'MFA_REQUIRED'));
  });
});

describe('a later sign-in', () => {
  it('asks for the code, and changes the id of the cookie at each step', async () => {
    const browser = await addStaffUser(api, 'ADMINISTRATOR');
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

  it('ends the session that the browser had, and never takes an id that the browser chose', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const before = browser.cookies.get('ppai-session') ?? '';
    clock.advance(STEP_MS);
    browser.cookies.set('ppai-challenge', 'chosen-by-somebody-else');
    await login(browser);
    expect(browser.cookies.get('ppai-challenge')).toMatch(/^[\w-]{43}$/);
    await verify(browser, codeOf(browser.secret, clock));
    browser.cookies.set('ppai-session', before);
    expect(outcome(await browser.get('/auth/v1/session'))).toEqual(refused(401, 'SESSION_EXPIRED'));
  });

  it('takes the address in any case', async () => {
    const browser = await addStaffUser(api, 'REVIEWER');
    const body = { email: ` ${browser.email.toUpperCase()}`, password: STAFF_PASSWORD };
    expect((await browser.post('/auth/v1/login', body)).status).toBe(200);
  });

  it('admits with a challenge alone to nothing, and tells MFA_REQUIRED', async () => {
    const browser = await addStaffUser(api, 'ADMINISTRATOR');
    await login(browser);
    for (const path of ['/auth/v1/session', '/admin/v1/users', '/admin/v1/openapi.json']) {
      expect(outcome(await browser.get(path))).toEqual(refused(401, 'MFA_REQUIRED'));
    }
    browser.cookies.set('ppai-session', browser.cookies.get('ppai-challenge') ?? '');
    browser.cookies.delete('ppai-challenge');
    expect(outcome(await browser.get('/auth/v1/session'))).toEqual(refused(401, 'SESSION_EXPIRED'));
  });

  it('tells who is enrolled CONFLICT at a second enrollment, with a challenge or a session', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    expect(outcome(await browser.post('/auth/v1/mfa/enroll'))).toEqual(refused(409, 'CONFLICT'));
    await login(browser);
    expect(outcome(await browser.post('/auth/v1/mfa/enroll'))).toEqual(refused(409, 'CONFLICT'));
  });
});

describe('cookies', () => {
  it('are HttpOnly and SameSite=Strict, and plain over local HTTP', async () => {
    const browser = await addStaffUser(api, 'REVIEWER');
    const [line] = setCookies(await login(browser));
    expect(line).toMatch(/^ppai-challenge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it.each([
    ['behind HTTPS', { 'x-forwarded-proto': 'https' }, 'https'],
    ['over HTTP under the name of another machine', { host: 'staff.example.org' }, 'http'],
  ])('are Secure under a __Host- name %s', async (_where, headers, scheme) => {
    const browser = await addStaffUser(api, 'REVIEWER');
    const host = 'host' in headers ? headers.host : new URL(api.baseUrl).host;
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

  it('do not count under the other name', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const cookie = `ppai-session=${browser.cookies.get('ppai-session')}`;
    const answer = await browser.send({
      path: '/auth/v1/session',
      headers: { cookie, 'x-forwarded-proto': 'https' },
    });
    expect(outcome(answer)).toEqual(refused(401, 'UNAUTHENTICATED'));
  });
});

describe('wrong credentials', () => {
  it('are INVALID_CREDENTIALS, the same for no such address, a wrong password and a disabled user', async () => {
    const known = await addStaffUser(api, 'REVIEWER');
    const disabled = await addStaffUser(api, 'REVIEWER');
    await api.api.context.db.staffUser.update({
      where: { id: disabled.userId },
      data: { status: 'DISABLED' },
    });
    const unknown = Object.assign(makeBrowser(api), { email: 'nobody@staff.example' });
    const answers = [
      await login(known, 'wrong password'),
      await login(unknown),
      await login(disabled),
    ];
    const bodies = answers.map(({ status, envelope, headers }) => ({
      status,
      envelope: { ...envelope, error: { ...envelope.error, requestId: '' } },
      headers: Object.keys(headers).sort(),
    }));
    expect(bodies[0]).toMatchObject({
      status: 401,
      envelope: { error: { code: 'INVALID_CREDENTIALS' } },
    });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('take the same time for an address that nobody has', async () => {
    const taken: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let user = 0; user < 4; user += 1) {
      const known = await addStaffUser(api, 'REVIEWER');
      const unknown = Object.assign(makeBrowser(api), { email: `nobody-${user}@staff.example` });
      for (let guess = 0; guess < 4; guess += 1) {
        for (const [kind, browser] of Object.entries({ known, unknown })) {
          const begunAt = performance.now();
          await login(browser, 'wrong password');
          taken[kind as 'known' | 'unknown'].push(performance.now() - begunAt);
        }
      }
    }
    const median = (times: number[]) => times.sort((a, b) => a - b)[times.length / 2] ?? 0;
    const ratio = median(taken.unknown) / median(taken.known);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.7);
  });

  it('are refused by the schema when something is missing or unknown', async () => {
    const browser = makeBrowser(api);
    const missing = await browser.post('/auth/v1/login', { email: 'a@b.example' });
    expect(missing).toMatchObject({
      status: 422,
      envelope: { error: { code: 'VALIDATION_FAILED', details: [{ field: 'password' }] } },
    });
    const unknown = await browser.post('/auth/v1/login', { email: 'a', password: 'b', otp: '1' });
    expect(unknown).toMatchObject({
      status: 422,
      envelope: { error: { details: [{ field: 'otp' }] } },
    });
  });

  it('are refused when the body is over 64 KB', async () => {
    const body = { email: 'a@b.example', password: 'x'.repeat(66_000) };
    expect(outcome(await makeBrowser(api).post('/auth/v1/login', body))).toEqual(
      refused(413, 'PAYLOAD_TOO_LARGE'),
    );
  });
});

describe('the lock', () => {
  it.each([
    ['a user', () => addStaffUser(api, 'REVIEWER')],
    [
      'an address that nobody has',
      async () => Object.assign(makeBrowser(api), { email: 'stranger@staff.example' }),
    ],
  ])('comes after five failures in a row and lasts 15 minutes, for %s', async (_who, make) => {
    const browser = await make();
    for (let guess = 0; guess < 5; guess += 1) {
      expect(outcome(await login(browser, 'wrong'))).toEqual(refused(401, 'INVALID_CREDENTIALS'));
    }
    expect(outcome(await login(browser))).toEqual(refused(401, 'ACCOUNT_LOCKED'));
    clock.advance(15 * 60_000 - 1_000);
    expect(outcome(await login(browser))).toEqual(refused(401, 'ACCOUNT_LOCKED'));
    clock.advance(1_000);
    expect(outcome(await login(browser, 'wrong'))).toEqual(refused(401, 'INVALID_CREDENTIALS'));
  });

  it('counts passwords and codes together, and forgets them after a sign-in', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    clock.advance(STEP_MS);
    const guess = async (times: number) => {
      for (let at = 0; at < times; at += 1) await login(browser, 'wrong');
    };
    await guess(3);
    await login(browser);
    expect(outcome(await verify(browser, '000000'))).toEqual(refused(401, 'INVALID_MFA_CODE'));
    expect((await verify(browser, codeOf(browser.secret, clock))).status).toBe(200);

    await guess(4);
    clock.advance(STEP_MS);
    expect((await login({ ...browser, send: browser.send })).status).toBe(200);
    expect(outcome(await verify(browser, '000000'))).toEqual(refused(401, 'INVALID_MFA_CODE'));
    expect(outcome(await verify(browser, codeOf(browser.secret, clock)))).toEqual(
      refused(401, 'ACCOUNT_LOCKED'),
    );
  });

  it('is no way around a right password: that alone forgets no failure', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    for (let guess = 0; guess < 4; guess += 1) await login(browser, 'wrong');
    expect((await login(browser)).status).toBe(200);
    await login(browser, 'wrong');
    expect(outcome(await login(browser))).toEqual(refused(401, 'ACCOUNT_LOCKED'));
  });
});

describe('a code', () => {
  it('counts once, and one of the step before or after it counts too', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    clock.advance(2 * STEP_MS);
    const code = codeOf(browser.secret, clock, -1);
    await login(browser);
    expect((await verify(browser, code)).status).toBe(200);
    await login(browser);
    expect(outcome(await verify(browser, code))).toEqual(refused(401, 'INVALID_MFA_CODE'));
    expect((await verify(browser, codeOf(browser.secret, clock, 1))).status).toBe(200);
    await login(browser);
    const earlier = codeOf(browser.secret, clock);
    expect(outcome(await verify(browser, earlier))).toEqual(refused(401, 'INVALID_MFA_CODE'));
  });

  it.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])('%j is none', async (code) => {
    const browser = await signInAs(api, 'REVIEWER');
    await login(browser);
    expect(outcome(await verify(browser, code))).toEqual(
      code === '' ? refused(422, 'VALIDATION_FAILED') : refused(401, 'INVALID_MFA_CODE'),
    );
  });

  it('of two steps ago, or two ahead, is expired', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    clock.advance(10 * STEP_MS);
    await login(browser);
    for (const steps of [-2, 2]) {
      expect(outcome(await verify(browser, codeOf(browser.secret, clock, steps)))).toEqual(
        refused(401, 'INVALID_MFA_CODE'),
      );
    }
  });
});

describe('a recovery code', () => {
  it('is accepted instead of a code, once, however it is typed', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const [code = ''] = browser.recoveryCodes;
    await login(browser);
    const typed = code.toLowerCase().replaceAll('-', ' ');
    expect(await verify(browser, typed)).toMatchObject({
      status: 200,
      envelope: { data: { recoveryCodesLeft: 9 } },
    });
    await login(browser);
    expect(outcome(await verify(browser, code))).toEqual(refused(401, 'INVALID_MFA_CODE'));
  });

  it('is void once new ones were asked for, which takes the password', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const ask = (password: string) => browser.post('/auth/v1/mfa/recovery-codes', { password });
    expect(outcome(await ask('wrong'))).toEqual(refused(401, 'INVALID_CREDENTIALS'));
    const { envelope } = await ask(STAFF_PASSWORD);
    const codes = envelope.data?.['recoveryCodes'] as string[];
    expect(codes).toHaveLength(10);
    await login(browser);
    expect(outcome(await verify(browser, browser.recoveryCodes[1] ?? ''))).toEqual(
      refused(401, 'INVALID_MFA_CODE'),
    );
    expect((await verify(browser, codes[0] ?? '')).status).toBe(200);
  });

  it('of somebody else is none', async () => {
    const [browser, other] = [await signInAs(api, 'REVIEWER'), await signInAs(api, 'REVIEWER')];
    await login(browser);
    expect(outcome(await verify(browser, other.recoveryCodes[0] ?? ''))).toEqual(
      refused(401, 'INVALID_MFA_CODE'),
    );
  });
});

describe('a change of password', () => {
  const NEW = 'another long enough password';
  const change = (browser: StaffBrowser, currentPassword: string, newPassword = NEW) =>
    browser.post('/auth/v1/password', { currentPassword, newPassword });

  it('ends every other session and gives this one a new id', async () => {
    const [browser, other] = [await signInAs(api, 'REVIEWER'), makeBrowser(api)];
    Object.assign(other, { email: browser.email });
    clock.advance(STEP_MS);
    await login(other);
    await verify(other, codeOf(browser.secret, clock));
    const before = browser.cookies.get('ppai-session');
    expect(await change(browser, STAFF_PASSWORD)).toMatchObject({
      status: 200,
      envelope: { data: { passwordChangeDue: false } },
    });
    expect(browser.cookies.get('ppai-session')).not.toBe(before);
    expect((await browser.get('/auth/v1/session')).status).toBe(200);
    expect(outcome(await other.get('/auth/v1/session'))).toEqual(refused(401, 'SESSION_EXPIRED'));
    expect(outcome(await login(makeSame(browser), STAFF_PASSWORD))).toEqual(
      refused(401, 'INVALID_CREDENTIALS'),
    );
    expect((await login(makeSame(browser), NEW)).status).toBe(200);
  });

  it('takes the current password, and another new one of 12 to 128 characters', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    expect(outcome(await change(browser, 'wrong'))).toEqual(refused(401, 'INVALID_CREDENTIALS'));
    for (const [current, next] of [
      [STAFF_PASSWORD, STAFF_PASSWORD],
      [STAFF_PASSWORD, 'elevenchars'],
      [STAFF_PASSWORD, 'x'.repeat(129)],
    ] as const) {
      expect(await change(browser, current, next)).toMatchObject({
        status: 422,
        envelope: { error: { details: [{ field: 'newPassword' }] } },
      });
    }
  });

  it('is locked like a sign-in', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    for (let guess = 0; guess < 5; guess += 1) await change(browser, 'wrong');
    expect(outcome(await change(browser, STAFF_PASSWORD))).toEqual(refused(401, 'ACCOUNT_LOCKED'));
  });
});

describe('what is stored', () => {
  it('is an argon2id hash, a sealed secret, and hashes of cookies and recovery codes', async () => {
    const browser = await addStaffUser(api, 'REVIEWER');
    await enroll(api, browser);
    const { db } = api.api.context;
    const user = await db.staffUser.findUniqueOrThrow({
      where: { id: browser.userId },
      include: { sessions: true, recoveryCodes: true },
    });
    expect(user.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const stored = JSON.stringify(
      [
        user.totpSealed,
        ...user.sessions.map(({ idHash }) => idHash),
        ...user.recoveryCodes.map(({ codeHash }) => codeHash),
      ].map((bytes) => Buffer.from(bytes ?? []).toString('latin1')),
    );
    const secrets = [browser.secret, ...browser.cookies.values(), ...browser.recoveryCodes];
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  });
});

function makeSame({ email }: StaffBrowser): StaffBrowser {
  return Object.assign(makeBrowser(api), { email });
}
