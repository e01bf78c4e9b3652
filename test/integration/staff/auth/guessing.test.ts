import { verify as verifyHash } from '@node-rs/argon2';
import {
  HASHES_AT_ONCE_MAX,
  HASHES_WAITING_MAX,
} from '../../../../shared/platform/secrets/passwords.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { useSignInApi } from '../../../env/staff/sign-in-api.ts';
import {
  addStaffUser,
  codeOf,
  login,
  makeBrowser,
  sameUser,
  signInAs,
} from '../../../env/staff/staff.ts';

jest.mock('@node-rs/argon2', () => {
  const real = jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
  return { ...real, verify: jest.fn(real.verify) };
});

const world = useSignInApi(30 * 60_000);
const { clock } = world;

function tally(answers: readonly TestAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { envelope } of answers) {
    const outcome = envelope.error?.code ?? 'ok';
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

describe('guessing in parallel', () => {
  it('evaluates at most five of 100 passwords, even from different addresses', async () => {
    const user = await addStaffUser(world.api, 'ADMINISTRATOR');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, guess) => login(sameUser(world.api, user), `guess ${guess}`)),
    );
    expect(tally(answers)).toEqual({ INVALID_CREDENTIALS: 5, ACCOUNT_LOCKED: 95 });
    expect(tally([await login(sameUser(world.api, user))])).toEqual({ ACCOUNT_LOCKED: 1 });
  });

  it('evaluates at most five of 100 codes', async () => {
    const user = await signInAs(world.api, 'ADMINISTRATOR');
    clock.advance(30_000);
    await login(user);
    const right = codeOf(user.secret, clock);
    const codes = Array.from({ length: 100 }, (_, guess) => String(guess).padStart(6, '0'));
    const answers = await Promise.all(
      codes
        .filter(
          (code) => ![-1, 0, 1].map((steps) => codeOf(user.secret, clock, steps)).includes(code),
        )
        .map((code) => user.post('/auth/v1/mfa/verify', { code })),
    );
    const { INVALID_MFA_CODE, ACCOUNT_LOCKED, ...others } = tally(answers);
    expect({ INVALID_MFA_CODE, others }).toEqual({ INVALID_MFA_CODE: 5, others: {} });
    expect(ACCOUNT_LOCKED).toBeGreaterThan(90);
    expect(tally([await user.post('/auth/v1/mfa/verify', { code: right })])).toEqual({
      ACCOUNT_LOCKED: 1,
    });
  });

  it('audits one lock instead of each guess', async () => {
    const user = await addStaffUser(world.api, 'ADMINISTRATOR');
    await Promise.all(Array.from({ length: 20 }, () => login(sameUser(world.api, user), 'wrong')));
    const { db } = world.api.api.context;
    const { userId: targetId } = user;
    expect(await db.auditEntry.count({ where: { targetId, action: 'SIGN_IN_LOCKED' } })).toBe(1);
  });
});

describe('a code in many concurrent requests', () => {
  it('signs in one of 1,000 requests with one challenge', async () => {
    const user = await signInAs(world.api, 'ADMINISTRATOR');
    clock.advance(30_000);
    await login(user);
    const code = codeOf(user.secret, clock);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => user.post('/auth/v1/mfa/verify', { code })),
    );
    expect(tally(answers)).toMatchObject({ ok: 1 });
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('signs in one of 1,000 requests with 20 challenges', async () => {
    const user = await signInAs(world.api, 'ADMINISTRATOR');
    clock.advance(30_000);
    const browsers = Array.from({ length: 20 }, () => sameUser(world.api, user));
    for (const browser of browsers) await login(browser);
    const code = codeOf(user.secret, clock);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, at) =>
        (browsers[at % browsers.length] ?? user).post('/auth/v1/mfa/verify', { code }),
      ),
    );
    expect(tally(answers)).toMatchObject({ ok: 1 });
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('signs in one of 20 requests if it is a recovery code', async () => {
    const user = await signInAs(world.api, 'ADMINISTRATOR');
    const browsers = Array.from({ length: 20 }, () => sameUser(world.api, user));
    for (const browser of browsers) await login(browser);
    const [code = ''] = user.recoveryCodes;
    const answers = await Promise.all(
      browsers.map((browser) => browser.post('/auth/v1/mfa/verify', { code })),
    );
    expect(tally(answers)).toMatchObject({ ok: 1 });
  });
});

describe('the rate of sign-ins', () => {
  it('is limited to 10 per minute and network address, for all accounts together', async () => {
    const browser = makeBrowser(world.api);
    const answers = [];
    for (let at = 0; at < 11; at += 1) {
      answers.push(await login(Object.assign(browser, { email: `somebody-${at}@staff.example` })));
    }
    expect(tally(answers)).toEqual({ INVALID_CREDENTIALS: 10, RATE_LIMITED: 1 });
    const { status, headers } = answers[10] as TestAnswer;
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(tally([await login(makeBrowser(world.api))])).toEqual({ VALIDATION_FAILED: 1 });
  });
});

function makeGate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('a flood of sign-ins', () => {
  it('is served up to the capacity; the rest get Retry-After and do not count as failures', async () => {
    const capacity = HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX;
    const refusedCount = 40;
    const { verify: realVerify } =
      jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
    const [hashing, refused] = [makeGate(), makeGate()];
    // No hash is computed until all requests over the capacity were answered.
    jest.mocked(verifyHash).mockImplementation(async (...given) => {
      await hashing.opened;
      return realVerify(...given);
    });
    let answered = 0;
    const flood = Array.from({ length: capacity + refusedCount }, async (_, at) => {
      const browser = Object.assign(makeBrowser(world.api), { email: `flood-${at}@staff.example` });
      const answer = await login(browser);
      answered += 1;
      if (answered === refusedCount) refused.open();
      return answer;
    });
    await refused.opened;
    hashing.open();
    const answers = await Promise.all(flood);
    expect(tally(answers)).toEqual({ INVALID_CREDENTIALS: capacity, RATE_LIMITED: refusedCount });
    for (const { status, headers } of answers.filter(({ status }) => status === 429))
      expect({ status, wait: headers['retry-after'] }).toEqual({ status: 429, wait: '2' });
    const { db } = world.api.api.context;
    expect(await db.staffSignInFailures.count({ where: { failures: 0 } })).toBe(refusedCount);
  });
});
