import { randomUUID } from 'node:crypto';
import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { auditedActions } from '../../../env/staff/lists.ts';
import {
  addStaffUser,
  codeOf,
  login,
  makeBrowser,
  STAFF_PASSWORD,
  type StaffBrowser,
  sameUser,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const clock = makeMovableClock(new Date('2026-11-20T08:00:00Z'));
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, clock });
});
afterAll(() => api.stop());

const outcome = ({ status, envelope }: TestAnswer) => ({ status, code: envelope.error?.code });
const expired = { status: 401, code: 'SESSION_EXPIRED' };

describe('a session', () => {
  it('stays alive for 14:59 without a request, again and again', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    for (let pause = 0; pause < 3; pause += 1) {
      clock.advance(15 * MINUTE_MS - SECOND_MS);
      expect((await browser.get('/auth/v1/session')).status).toBe(200);
    }
  });

  it('ends after 15:01 without a request, and stays ended', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    clock.advance(15 * MINUTE_MS + SECOND_MS);
    expect(outcome(await browser.get('/auth/v1/session'))).toEqual(expired);
    expect(outcome(await browser.get('/auth/v1/session'))).toEqual(expired);
  });

  it.each([
    ['stays alive for 7:59:59', -SECOND_MS, 200],
    ['ends after 8:00:01', SECOND_MS, 401],
  ])('%s when it is in constant use', async (_what, differenceMs, status) => {
    const browser = await signInAs(api, 'REVIEWER');
    const endsAt = clock.now().getTime() + 8 * HOUR_MS;
    while (clock.now().getTime() + 10 * MINUTE_MS < endsAt) {
      clock.advance(10 * MINUTE_MS);
      expect((await browser.get('/auth/v1/session')).status).toBe(200);
    }
    clock.moveTo(new Date(endsAt + differenceMs));
    expect((await browser.get('/auth/v1/session')).status).toBe(status);
  });

  it('ends 8 hours after the sign-in, even if the password was changed in between', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const { envelope } = await browser.get('/auth/v1/session');
    clock.advance(10 * MINUTE_MS);
    const changed = await browser.post('/auth/v1/password', {
      currentPassword: STAFF_PASSWORD,
      newPassword: 'another long enough password',
    });
    expect(changed.envelope.data?.['expiresAt']).toBe(envelope.data?.['expiresAt']);
  });

  it('ends at once when its user signs out, and the cookie is deleted', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const cookie = browser.cookies.get('ppai-session') ?? '';
    expect(await browser.post('/auth/v1/logout')).toMatchObject({
      status: 200,
      envelope: { data: { done: true } },
    });
    expect(browser.cookies.size).toBe(0);
    browser.cookies.set('ppai-session', cookie);
    expect(outcome(await browser.get('/auth/v1/session'))).toEqual(expired);
  });

  it('is UNAUTHENTICATED without a cookie and SESSION_EXPIRED with an unknown one', async () => {
    const browser = makeBrowser(api);
    expect(outcome(await browser.get('/admin/v1/users'))).toEqual({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
    browser.cookies.set('ppai-session', 'A'.repeat(43));
    expect(outcome(await browser.get('/admin/v1/users'))).toEqual(expired);
  });

  it('is pruned after it ended, and not before', async () => {
    const { pruneStaffSessions } = await import(
      '../../../../shared/store/staff/sign-in/sessions.ts'
    );
    const { db } = api.api.context;
    await db.staffSession.deleteMany();
    await signInAs(api, 'REVIEWER');
    clock.advance(15 * MINUTE_MS - SECOND_MS);
    const browser = await signInAs(api, 'REVIEWER');
    await pruneStaffSessions(db, clock.now(), 1_000);
    expect(await db.staffSession.count()).toBe(2);
    clock.advance(SECOND_MS);
    await pruneStaffSessions(db, clock.now(), 1_000);
    expect(await db.staffSession.count()).toBe(1);
    expect((await browser.get('/auth/v1/session')).status).toBe(200);
  });
});

describe('a challenge', () => {
  it.each([
    ['is valid for 4:59', -SECOND_MS, { status: 200, code: undefined }],
    ['ends after 5:01: MFA_REQUIRED', SECOND_MS, { status: 401, code: 'MFA_REQUIRED' }],
  ])('%s', async (_what, differenceMs, expected) => {
    const browser = await signInAs(api, 'REVIEWER');
    await browser.post('/auth/v1/login', { email: browser.email, password: STAFF_PASSWORD });
    clock.advance(5 * MINUTE_MS + differenceMs);
    const code = codeOf(browser.secret, clock);
    expect(outcome(await browser.post('/auth/v1/mfa/verify', { code }))).toEqual(expected);
  });

  it('is not prolonged by an enrollment', async () => {
    const browser = await addStaffUser(api, 'REVIEWER');
    await browser.post('/auth/v1/login', { email: browser.email, password: STAFF_PASSWORD });
    clock.advance(4 * MINUTE_MS);
    expect((await browser.post('/auth/v1/mfa/enroll')).status).toBe(200);
    clock.advance(MINUTE_MS + SECOND_MS);
    expect(outcome(await browser.post('/auth/v1/mfa/enroll'))).toEqual({
      status: 401,
      code: 'MFA_REQUIRED',
    });
  });

  it('is required by mfa/verify, even with other cookies', async () => {
    const required = { status: 401, code: 'MFA_REQUIRED' };
    const browser = await signInAs(api, 'REVIEWER');
    const code = codeOf(browser.secret, clock);
    expect(outcome(await browser.post('/auth/v1/mfa/verify', { code }))).toEqual(required);
    expect(outcome(await makeBrowser(api).post('/auth/v1/mfa/verify', { code }))).toEqual(required);
  });
});

describe("an administrator who ends another user's sessions", () => {
  const end = (by: StaffBrowser, userId: string, body?: object) =>
    by.post(`/admin/v1/users/${userId}/end-sessions`, body);

  it('ends all of them at once, with sign-ins under way; the user signs in again', async () => {
    const administrator = await signInAs(api, 'ADMINISTRATOR');
    const user = await signInAs(api, 'REVIEWER');
    const waiting = sameUser(api, user);
    await login(waiting);
    const { envelope } = await end(administrator, user.userId, { reason: 'a lost laptop' });
    expect(envelope.data).toEqual({ ended: 1 });
    expect((await user.get('/auth/v1/session')).status).toBe(401);
    clock.advance(MINUTE_MS);
    const code = codeOf(user.secret, clock);
    expect(outcome(await verify(waiting, code))).toEqual({ status: 401, code: 'MFA_REQUIRED' });
    expect((await login(user)).status).toBe(200);
    expect((await verify(user, code)).status).toBe(200);
    expect((await administrator.get('/auth/v1/session')).status).toBe(200);
  });

  it('is audited with the reason, and not when there was none', async () => {
    const administrator = await signInAs(api, 'ADMINISTRATOR');
    const user = await signInAs(api, 'AUDITOR');
    await end(administrator, user.userId, { reason: 'a lost laptop' });
    expect((await end(administrator, user.userId)).envelope.data).toEqual({ ended: 0 });
    const acts = await auditedActions(administrator, 'USER', user.userId);
    expect(acts.filter(({ action }) => action === 'SESSIONS_ENDED')).toEqual([
      { action: 'SESSIONS_ENDED', before: null, after: { ended: 1, reason: 'a lost laptop' } },
    ]);
  });

  it('is FORBIDDEN for the own account (D50), and NOT_FOUND for no user', async () => {
    const administrator = await signInAs(api, 'ADMINISTRATOR');
    expect(outcome(await end(administrator, administrator.userId))).toEqual({
      status: 403,
      code: 'FORBIDDEN',
    });
    expect((await end(administrator, randomUUID())).status).toBe(404);
    expect((await administrator.get('/auth/v1/session')).status).toBe(200);
  });
});
