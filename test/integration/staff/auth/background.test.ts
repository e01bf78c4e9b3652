import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import {
  makeBrowser,
  outcomeOf,
  refused,
  type StaffBrowser,
  signInAs,
} from '../../../env/staff/staff.ts';

const MINUTE_MS = 60_000;
const clock = makeMovableClock(new Date('2026-11-20T08:00:00Z'));
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, clock });
});
afterAll(() => api.stop());

const SESSION = '/auth/v1/session';

function poll(browser: StaffBrowser, path = SESSION, value = '1') {
  return browser.send({ path, headers: { 'x-ppai-background': value } });
}

function minutesFromNow(minutes: number): string {
  return new Date(clock.now().getTime() + minutes * MINUTE_MS).toISOString();
}

describe('a GET with X-PPAI-Background: 1', () => {
  it('is answered and does not extend the session', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    const idleExpiresAt = minutesFromNow(15);
    for (const minutes of [5, 5, 4]) {
      clock.advance(minutes * MINUTE_MS);
      const { status, envelope } = await poll(browser);
      expect({ status, data: envelope.data }).toMatchObject({
        status: 200,
        data: { idleExpiresAt },
      });
      expect((await poll(browser, '/admin/v1/flags')).status).toBe(200);
    }
    clock.advance(2 * MINUTE_MS);
    expect(outcomeOf(await poll(browser))).toEqual(refused(401, 'SESSION_EXPIRED'));
    expect(outcomeOf(await browser.get(SESSION))).toEqual(refused(401, 'SESSION_EXPIRED'));
  });

  it('leaves the extension to the other requests of the session', async () => {
    const browser = await signInAs(api, 'REVIEWER');
    clock.advance(10 * MINUTE_MS);
    await browser.get(SESSION);
    const idleExpiresAt = minutesFromNow(15);
    clock.advance(10 * MINUTE_MS);
    expect((await poll(browser)).envelope.data).toMatchObject({ idleExpiresAt });
  });

  it('needs a session and a permission like any other', async () => {
    const nobody = await poll(makeBrowser(api), '/admin/v1/flags');
    expect(outcomeOf(nobody)).toEqual(refused(401, 'UNAUTHENTICATED'));
    const reviewer = await signInAs(api, 'REVIEWER');
    expect(outcomeOf(await poll(reviewer, '/admin/v1/users'))).toEqual(refused(403, 'FORBIDDEN'));
  });

  it.each(['0', 'true', ''])('extends the session with the value %j instead', async (value) => {
    const browser = await signInAs(api, 'REVIEWER');
    clock.advance(10 * MINUTE_MS);
    await poll(browser, SESSION, value);
    clock.advance(10 * MINUTE_MS);
    expect((await browser.get(SESSION)).status).toBe(200);
  });
});

it('the header has no effect on a request that is not a GET', async () => {
  const browser = await signInAs(api, 'REVIEWER');
  clock.advance(10 * MINUTE_MS);
  const headers = { 'x-ppai-background': '1' };
  const path = '/auth/v1/sessions/end-others';
  expect((await browser.send({ method: 'POST', path, headers })).status).toBe(200);
  clock.advance(10 * MINUTE_MS);
  expect((await browser.get(SESSION)).status).toBe(200);
});
