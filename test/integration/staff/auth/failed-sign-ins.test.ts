import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import { pruneFailureEntries } from '../../../../shared/store/staff/sign-in/failures.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { captureLog } from '../../../env/capture-log.ts';
import {
  addStaffUser,
  login,
  makeBrowser,
  type StaffBrowser,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

const MINUTE_MS = 60_000;
const clock = makeMovableClock(new Date('2026-11-20T08:00:00Z'));
const { logger, lines } = captureLog();
let api: TestApi;
let browser: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, clock, logger });
  browser = makeBrowser(api);
});
afterAll(() => api.stop());
beforeEach(() => {
  clock.advance(60 * MINUTE_MS);
  lines.length = 0;
});

/** Tries to sign in with a wrong password from a network address. */
const failSignIn = ({ email }: Pick<StaffBrowser, 'email'>, address: string) =>
  browser.send({
    path: '/auth/v1/login',
    body: { email, password: 'wrong' },
    headers: { 'x-forwarded-for': address, cookie: undefined },
  });

interface Entry {
  readonly address: string;
  readonly repeats: number;
  readonly actor: { readonly kind: string; readonly email: string | null };
  readonly target: { readonly id: string | null };
  readonly after: { readonly code: string; readonly account: string };
}

async function entries(since = clock.now().getTime() - 29 * MINUTE_MS): Promise<Entry[]> {
  const from = new Date(since).toISOString();
  const auditor = await signInAs(api, 'AUDITOR');
  const { envelope } = await auditor.get(
    `/admin/v1/audit?action=SIGN_IN_FAILED&from=${from}&limit=200`,
  );
  return (envelope.data as unknown as { items: Entry[] }).items;
}

describe('a failed sign-in', () => {
  it('is audited with its network address and code; only the user id names the account', async () => {
    const user = await addStaffUser(api, 'REVIEWER');
    await failSignIn(user, '203.0.113.7');
    const [entry] = await entries();
    expect(entry).toMatchObject({
      actor: { kind: 'ANONYMOUS', email: null },
      target: { type: 'USER', id: user.userId },
      address: '203.0.113.7',
      repeats: 0,
      after: { code: 'INVALID_CREDENTIALS', account: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
  });

  it('counts as a repeat of the entry of the same account and network address for 15 minutes', async () => {
    const user = await addStaffUser(api, 'REVIEWER');
    for (let guess = 0; guess < 4; guess += 1) {
      await failSignIn(user, '203.0.113.8');
      clock.advance(4 * MINUTE_MS);
    }
    // 16 minutes after the first.
    expect(await entries()).toMatchObject([{ address: '203.0.113.8', repeats: 3 }]);
    await failSignIn(user, '203.0.113.8');
    expect(await entries()).toMatchObject([{ repeats: 0 }, { repeats: 3 }]);
  });

  it('gets another entry for another account or another network address', async () => {
    const [one, other] = [await addStaffUser(api, 'REVIEWER'), { email: 'nobody@staff.example' }];
    await failSignIn(one, '203.0.113.9');
    await failSignIn(one, '203.0.113.10');
    await failSignIn(other, '203.0.113.9');
    const found = await entries();
    expect(found).toHaveLength(3);
    expect(found.map(({ target }) => target.id)).toEqual([null, one.userId, one.userId]);
    expect(new Set(found.map(({ after }) => after.account)).size).toBe(2);
  });

  it('counts as a repeat from another address of the same IPv6 /64', async () => {
    const user = await addStaffUser(api, 'REVIEWER');
    await failSignIn(user, '2001:db8:1:2::1');
    await failSignIn(user, '2001:db8:1:2:ffff::9');
    await failSignIn(user, '2001:db8:1:3::1');
    expect(await entries()).toMatchObject([
      { address: '2001:db8:1:3::1', repeats: 0 },
      { address: '2001:db8:1:2::1', repeats: 1 },
    ]);
  });

  it('counts as a repeat if many are concurrent, even if the lock refused it', async () => {
    const user = await addStaffUser(api, 'REVIEWER');
    await Promise.all(Array.from({ length: 9 }, () => failSignIn(user, '203.0.113.11')));
    expect(await entries()).toMatchObject([{ repeats: 8 }]);
  });

  it('is audited for a wrong code, at the sign-in and in a session', async () => {
    const user = await signInAs(api, 'REVIEWER');
    await login(user);
    await verify(user, 'no code');
    await user.post('/auth/v1/mfa/renew', { code: 'no code' });
    expect(await entries()).toMatchObject([
      { actor: { kind: 'ANONYMOUS' }, after: { code: 'INVALID_MFA_CODE' }, repeats: 1 },
    ]);
  });

  it('is logged and counted, but not audited, when it exceeds the rate limit', async () => {
    for (let at = 0; at < 12; at += 1) {
      await failSignIn({ email: `rate-${at}@staff.example` }, '203.0.113.12');
    }
    expect(await entries()).toHaveLength(10);
    expect(logged().filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(2);
  });
});

interface Line {
  readonly msg: string;
  readonly code?: string;
  readonly address?: string;
  readonly account?: string;
  readonly requestId?: string;
}

const logged = () =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'sign-in failed');

it('the log has network address, account hash and code of a failed sign-in, but never the account name', async () => {
  const user = await addStaffUser(api, 'REVIEWER');
  const before = await readRefusals();
  await failSignIn(user, '203.0.113.13');
  await failSignIn(user, '203.0.113.14');
  const [entry] = await entries();
  expect(logged()).toEqual([
    expect.objectContaining({
      code: 'INVALID_CREDENTIALS',
      address: '203.0.113.13',
      account: entry?.after.account,
      requestId: expect.any(String),
    }),
    expect.objectContaining({ address: '203.0.113.14', account: entry?.after.account }),
  ]);
  expect(lines.join('')).not.toContain(user.email);
  expect(await readRefusals()).toBe(before + 2);
});

async function readRefusals(): Promise<number> {
  const { values } = await api.api.context.metrics.refusals.get();
  const found = values.find(
    ({ labels }) => labels.kind === 'sign-in' && labels.code === 'INVALID_CREDENTIALS',
  );
  return found?.value ?? 0;
}

it('after 15 minutes a failure gets a new entry, and the repeats of the old one are kept', async () => {
  const { db } = api.api.context;
  const user = await addStaffUser(api, 'REVIEWER');
  await failSignIn(user, '203.0.113.15');
  await failSignIn(user, '203.0.113.15');
  clock.advance(15 * MINUTE_MS);
  await pruneFailureEntries(db, clock.now(), 1_000);
  expect(await db.staffFailedSignIn.count()).toBe(0);
  expect(await entries()).toMatchObject([{ repeats: 1 }]);
});
