import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { STEP_MS, useSignInApi } from '../../../env/staff/sign-in-api.ts';
import {
  addStaffUser,
  codeOf,
  login,
  outcomeOf as outcome,
  type StaffBrowser,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

const SECOND_MS = 1_000;
const FRESH_MS = 15 * 60 * SECOND_MS;
const world = useSignInApi();
const { clock } = world;

/** Ages the second factor. A request in between keeps the session from becoming idle. */
async function ageFactor(browser: StaffBrowser, ms: number): Promise<void> {
  clock.advance(ms / 2);
  expect((await browser.get('/auth/v1/session')).status).toBe(200);
  clock.advance(ms / 2);
}

const renew = (browser: StaffBrowser, code = codeOf(browser.secret, clock)) =>
  browser.post('/auth/v1/mfa/renew', { code });
const detailsOf = ({ envelope }: TestAnswer) => envelope.error?.details?.map(({ code }) => code);
const ANY_ID = '00000000-0000-4000-8000-000000000000';

/** One change for each permission that needs a fresh code. If it is allowed, it is NOT_FOUND. */
const acts: [string, (browser: StaffBrowser) => Promise<TestAnswer>][] = [
  ['disabling a user', (browser) => browser.post(`/admin/v1/users/${ANY_ID}/disable`)],
  ['suspending a client', (browser) => browser.post(`/admin/v1/clients/${ANY_ID}/suspend`, {})],
];

describe.each(acts)('%s', (_act, act) => {
  it('is allowed with a second factor that is 15 minutes old', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    await ageFactor(browser, FRESH_MS);
    expect(outcome(await act(browser))).toEqual({ status: 404, code: 'NOT_FOUND' });
  });

  it('needs a fresh code after that, then continues in the same session', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    const cookies = new Map(browser.cookies);
    await ageFactor(browser, FRESH_MS + SECOND_MS);
    const refused = await act(browser);
    expect(outcome(refused)).toEqual({ status: 401, code: 'MFA_REQUIRED' });
    expect(detailsOf(refused)).toEqual(['FRESH_CODE_REQUIRED']);
    expect(await renew(browser)).toMatchObject({
      status: 200,
      envelope: {
        data: {
          user: { id: browser.userId },
          secondFactorFreshUntil: new Date(clock.now().getTime() + FRESH_MS).toISOString(),
        },
      },
    });
    expect(browser.cookies).toEqual(cookies);
    expect(outcome(await act(browser))).toEqual({ status: 404, code: 'NOT_FOUND' });
  });
});

describe('a second factor that is too old', () => {
  it('still allows reads and changes that grant no access', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    await ageFactor(browser, FRESH_MS + SECOND_MS);
    expect((await browser.get('/admin/v1/users')).status).toBe(200);
    expect((await browser.get('/admin/v1/clients')).status).toBe(200);
    expect(outcome(await browser.post(`/admin/v1/organizations/${ANY_ID}/suspend`))).toEqual({
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  it('is not renewed by a change of password', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    await ageFactor(browser, FRESH_MS + SECOND_MS);
    await browser.post('/auth/v1/password', {
      currentPassword: 'correct horse battery staple',
      newPassword: 'another long enough password',
    });
    expect(detailsOf(await browser.post(`/admin/v1/users/${ANY_ID}/disable`))).toEqual([
      'FRESH_CODE_REQUIRED',
    ]);
  });

  it('is reported differently from a sign-in without a code', async () => {
    const browser = await addStaffUser(world.api, 'ADMINISTRATOR');
    await login(browser);
    const refused = await browser.post(`/admin/v1/users/${ANY_ID}/disable`);
    expect(outcome(refused)).toEqual({ status: 401, code: 'MFA_REQUIRED' });
    expect(detailsOf(refused)).toBeUndefined();
  });
});

describe('renewing the second factor', () => {
  it('accepts a recovery code as well, and is audited', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    const answer = await renew(browser, browser.recoveryCodes[0]);
    expect(answer).toMatchObject({ status: 200, envelope: { data: { recoveryCodesLeft: 9 } } });
    const entries = await world.api.api.context.db.auditEntry.findMany({
      where: { actorId: browser.userId },
      orderBy: { sequence: 'desc' },
      take: 2,
    });
    expect(entries.map(({ action }) => action)).toEqual(['MFA_RENEWED', 'RECOVERY_CODE_USED']);
  });

  it('is refused for a used code', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    await ageFactor(browser, FRESH_MS + SECOND_MS);
    const code = codeOf(browser.secret, clock);
    await login(browser);
    expect((await verify(browser, code)).status).toBe(200);
    expect(outcome(await renew(browser, code))).toEqual({ status: 401, code: 'INVALID_MFA_CODE' });
  });

  it('succeeds for one of 20 concurrent requests with one code', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    clock.advance(STEP_MS);
    const code = codeOf(browser.secret, clock);
    const answers = await Promise.all(Array.from({ length: 20 }, () => renew(browser, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('counts wrong codes as failed sign-ins: the sixth is not evaluated', async () => {
    const browser = await signInAs(world.api, 'ADMINISTRATOR');
    clock.advance(STEP_MS);
    for (let guess = 0; guess < 5; guess += 1) {
      expect(outcome(await renew(browser, 'no code'))).toEqual({
        status: 401,
        code: 'INVALID_MFA_CODE',
      });
    }
    expect(outcome(await renew(browser))).toEqual({ status: 401, code: 'ACCOUNT_LOCKED' });
  });

  it('needs a session', async () => {
    const browser = await addStaffUser(world.api, 'ADMINISTRATOR');
    await login(browser);
    expect(outcome(await renew(browser, '000000'))).toEqual({ status: 401, code: 'MFA_REQUIRED' });
  });
});
