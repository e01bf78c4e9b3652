import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { outcomeOf as outcome, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterAll(() => api.stop());

const forbidden = { status: 403, code: 'FORBIDDEN' };
const act = (by: StaffBrowser, userId: string, action: string) =>
  by.post(`/admin/v1/users/${userId}/${action}`, action === 'password-reset' ? {} : undefined);

describe("an administrator's own account (D50)", () => {
  it.each(['password-reset', 'mfa-reset', 'disable'])(
    'cannot be changed through user management: %s',
    async (action) => {
      const browser = await signInAs(api, 'ADMINISTRATOR');
      const { db } = api.api.context;
      const before = await db.staffUser.findUnique({ where: { id: browser.userId } });
      for (const userId of [browser.userId, browser.userId.toUpperCase()]) {
        expect(outcome(await act(browser, userId, action))).toEqual(forbidden);
      }
      expect(await db.staffUser.findUnique({ where: { id: browser.userId } })).toEqual(before);
      expect((await browser.get('/auth/v1/session')).status).toBe(200);
    },
  );

  it('cannot get another role; a request that changes nothing succeeds', async () => {
    const browser = await signInAs(api, 'ADMINISTRATOR');
    const setRole = (role: string) =>
      browser.send({
        method: 'PUT',
        path: `/admin/v1/users/${browser.userId}/role`,
        body: { role },
      });
    expect(outcome(await setRole('REVIEWER'))).toEqual(forbidden);
    expect((await setRole('ADMINISTRATOR')).status).toBe(200);
    expect((await act(browser, browser.userId, 'enable')).status).toBe(200);
  });

  it('cannot be changed by concurrent resets either', async () => {
    const browser = await signInAs(api, 'ADMINISTRATOR');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        act(browser, browser.userId, at % 2 === 0 ? 'password-reset' : 'mfa-reset'),
      ),
    );
    expect(answers.map(outcome)).toEqual(answers.map(() => forbidden));
  });
});

describe('two administrators who reset each other at once', () => {
  it('are served one after the other: the second gets SESSION_EXPIRED', async () => {
    for (const action of ['password-reset', 'mfa-reset', 'disable']) {
      const [one, other] = [
        await signInAs(api, 'ADMINISTRATOR'),
        await signInAs(api, 'ADMINISTRATOR'),
      ];
      const answers = await Promise.all([
        act(one, other.userId, action),
        act(other, one.userId, action),
      ]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
      expect(answers.find(({ status }) => status === 401)?.envelope.error?.code).toBe(
        'SESSION_EXPIRED',
      );
    }
  });
});
