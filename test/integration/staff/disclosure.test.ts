import { makeMovableClock } from '../../../shared/platform/clock.ts';
import { pruneFailureCounts } from '../../../shared/store/staff/sign-in/failures.ts';
import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';
import { captureLog } from '../../env/capture-log.ts';
import {
  codeOf,
  login,
  makeBrowser,
  STAFF_PASSWORD,
  signInAs,
  verify,
} from '../../env/staff/staff.ts';

const clock = makeMovableClock(new Date('2026-11-20T08:00:00Z'));
const { logger, lines } = captureLog();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, clock, logger });
});
afterAll(() => api.stop());

describe('the log', () => {
  it('has no password, code, secret, cookie or recovery code, and no account name of a failed sign-in', async () => {
    const browser = await signInAs(api, 'ADMINISTRATOR');
    const secrets = [STAFF_PASSWORD, browser.secret, ...browser.recoveryCodes];
    clock.advance(30_000);
    const code = codeOf(browser.secret, clock);
    secrets.push(...browser.cookies.values(), code);
    await login(browser, 'a wrong password');
    await login(browser);
    secrets.push('a wrong password', ...browser.cookies.values());
    await verify(browser, code);
    await verify(browser, code);
    secrets.push(...browser.cookies.values());
    const { envelope } = await browser.post('/admin/v1/users', {
      email: 'logged@staff.example',
      role: 'AUDITOR',
    });
    secrets.push(String(envelope.data?.['initialPassword']), browser.email, 'logged@staff');
    const log = lines.join('\n');
    expect(log).toContain('"/admin/v1/users"');
    expect(log).toContain(browser.userId);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });
});

describe('the lock of an unknown address', () => {
  it('is audited like the lock of a user, without the address', async () => {
    const browser = Object.assign(makeBrowser(api), { email: 'stranger@staff.example' });
    for (let guess = 0; guess < 6; guess += 1) await login(browser, 'wrong');
    const entries = await api.api.context.db.auditEntry.findMany({
      where: { action: 'SIGN_IN_LOCKED' },
    });
    expect(entries).toMatchObject([{ actorKind: 'ANONYMOUS', targetType: 'USER', targetId: null }]);
    expect(JSON.stringify(entries.map(({ before, after }) => [before, after]))).toBe(
      '[[null,null]]',
    );
  });

  it('is deleted after a day without an attempt', async () => {
    const { db } = api.api.context;
    await db.staffSignInFailures.deleteMany();
    const browser = Object.assign(makeBrowser(api), { email: 'passer-by@staff.example' });
    await login(browser, 'wrong');
    clock.advance(24 * 3_600_000 - 1_000);
    expect(await pruneFailureCounts(db, clock.now(), 100)).toBe(0);
    clock.advance(1_000);
    expect(await pruneFailureCounts(db, clock.now(), 100)).toBe(1);
  });
});
