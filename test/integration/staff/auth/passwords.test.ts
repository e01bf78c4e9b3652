import { verify as verifyHash } from '@node-rs/argon2';
import { STEP_MS, useSignInApi } from '../../../env/staff/sign-in-api.ts';
import {
  addStaffUser,
  codeOf,
  login,
  makeBrowser,
  outcomeOf as outcome,
  refused,
  STAFF_PASSWORD,
  type StaffBrowser,
  sameUser,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
  return { ...real, verify: jest.fn(real.verify) };
});

const world = useSignInApi();
const { clock } = world;

describe('wrong credentials', () => {
  it('get the same answer for an unknown address, a wrong password and a disabled user', async () => {
    const known = await addStaffUser(world.api, 'REVIEWER');
    const disabled = await addStaffUser(world.api, 'REVIEWER');
    await world.api.api.context.db.staffUser.update({
      where: { id: disabled.userId },
      data: { status: 'DISABLED' },
    });
    const unknown = Object.assign(makeBrowser(world.api), { email: 'nobody@staff.example' });
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

  it('cost the same work for an unknown address', async () => {
    const known = await addStaffUser(world.api, 'REVIEWER');
    const unknown = Object.assign(makeBrowser(world.api), { email: 'nobody@staff.example' });
    const work: string[][] = [];
    for (const browser of [known, unknown]) {
      const verified = jest.mocked(verifyHash);
      verified.mockClear();
      await login(browser, 'wrong password');
      // The parameters of a hash determine the cost of its verification.
      work.push(verified.mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4).join('$')));
    }
    expect(work[0]).toEqual(['$argon2id$v=19$m=19456,t=2,p=1']);
    expect(work[1]).toEqual(work[0]);
  });

  it('are refused by the schema when something is missing or unknown', async () => {
    const browser = makeBrowser(world.api);
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
    expect(outcome(await makeBrowser(world.api).post('/auth/v1/login', body))).toEqual(
      refused(413, 'PAYLOAD_TOO_LARGE'),
    );
  });
});

describe('the lock', () => {
  it.each([
    ['a user', () => addStaffUser(world.api, 'REVIEWER')],
    [
      'an unknown address',
      async () => Object.assign(makeBrowser(world.api), { email: 'stranger@staff.example' }),
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

  it('counts wrong passwords and codes together, and resets the count after a sign-in', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
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
    expect((await login(browser)).status).toBe(200);
    expect(outcome(await verify(browser, '000000'))).toEqual(refused(401, 'INVALID_MFA_CODE'));
    expect(outcome(await verify(browser, codeOf(browser.secret, clock)))).toEqual(
      refused(401, 'ACCOUNT_LOCKED'),
    );
  });

  it('cannot be avoided by a correct password, which alone does not reset the count', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    for (let guess = 0; guess < 4; guess += 1) await login(browser, 'wrong');
    expect((await login(browser)).status).toBe(200);
    await login(browser, 'wrong');
    expect(outcome(await login(browser))).toEqual(refused(401, 'ACCOUNT_LOCKED'));
  });
});

describe('a change of password', () => {
  const NEW = 'another long enough password';
  const change = (browser: StaffBrowser, currentPassword: string, newPassword = NEW) =>
    browser.post('/auth/v1/password', { currentPassword, newPassword });

  it('ends every other session and gives this one a new id', async () => {
    const [browser, other] = [await signInAs(world.api, 'REVIEWER'), makeBrowser(world.api)];
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
    expect(outcome(await login(sameUser(world.api, browser), STAFF_PASSWORD))).toEqual(
      refused(401, 'INVALID_CREDENTIALS'),
    );
    expect((await login(sameUser(world.api, browser), NEW)).status).toBe(200);
  });

  it('needs the current password, and a different new one of 12 to 128 characters', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
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

  it.each([
    ['aaaaaaaaaaaa', /repeat/i],
    [' '.repeat(12), /./],
    ['Password1234!', /./],
    ['qwertyuiop123', /./],
    ['ppai-registry-2026', /service/],
    ['e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301', /12 characters/],
  ])('refuses %j', async (password, why) => {
    const browser = await signInAs(world.api, 'REVIEWER');
    const answer = await change(browser, STAFF_PASSWORD, password);
    expect(outcome(answer)).toEqual(refused(422, 'VALIDATION_FAILED'));
    const [detail] = answer.envelope.error?.details ?? [];
    expect(detail?.field).toBe('newPassword');
    expect(detail?.message).toMatch(why);
    expect((await login(sameUser(world.api, browser))).status).toBe(200);
  });

  it("refuses the user's own address, in any case and with a suffix", async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    for (const password of [browser.email, browser.email.toUpperCase(), `${browser.email}2026!`]) {
      expect(await change(browser, STAFF_PASSWORD, password)).toMatchObject({
        status: 422,
        envelope: { error: { details: [{ field: 'newPassword' }] } },
      });
    }
  });

  it("refuses the regulator's name, even after a rename", async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    const { db } = world.api.api.context;
    await db.organization.updateMany({
      where: { type: 'REGULATOR' },
      data: { name: 'Zyqwolt Borrundex' },
    });
    expect((await change(browser, STAFF_PASSWORD, 'zyqwoltborrundex')).status).toBe(422);
  });

  it('is locked like a sign-in', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    for (let guess = 0; guess < 5; guess += 1) await change(browser, 'wrong');
    expect(outcome(await change(browser, STAFF_PASSWORD))).toEqual(refused(401, 'ACCOUNT_LOCKED'));
  });
});
