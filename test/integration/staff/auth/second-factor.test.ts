import { STEP_MS, useSignInApi } from '../../../env/staff/sign-in-api.ts';
import {
  addStaffUser,
  codeOf,
  enroll,
  login,
  outcomeOf as outcome,
  refused,
  STAFF_PASSWORD,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

const world = useSignInApi();
const { clock } = world;

describe('a code', () => {
  it('is valid once, and so is a code of the step before or after', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
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

  it.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])(
    'is not valid if it is %j',
    async (code) => {
      const browser = await signInAs(world.api, 'REVIEWER');
      await login(browser);
      expect(outcome(await verify(browser, code))).toEqual(
        code === '' ? refused(422, 'VALIDATION_FAILED') : refused(401, 'INVALID_MFA_CODE'),
      );
    },
  );

  it('is not valid two steps before or after its own', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
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
  it('is accepted once instead of a code, in any case and spacing', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
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

  it('is void after new codes were issued, which requires the password', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    const renewCodes = (password: string) =>
      browser.post('/auth/v1/mfa/recovery-codes', { password });
    expect(outcome(await renewCodes('wrong'))).toEqual(refused(401, 'INVALID_CREDENTIALS'));
    const { envelope } = await renewCodes(STAFF_PASSWORD);
    const codes = envelope.data?.['recoveryCodes'] as string[];
    expect(codes).toHaveLength(10);
    await login(browser);
    expect(outcome(await verify(browser, browser.recoveryCodes[1] ?? ''))).toEqual(
      refused(401, 'INVALID_MFA_CODE'),
    );
    expect((await verify(browser, codes[0] ?? '')).status).toBe(200);
  });

  it('is not valid for another user', async () => {
    const [browser, other] = [
      await signInAs(world.api, 'REVIEWER'),
      await signInAs(world.api, 'REVIEWER'),
    ];
    await login(browser);
    expect(outcome(await verify(browser, other.recoveryCodes[0] ?? ''))).toEqual(
      refused(401, 'INVALID_MFA_CODE'),
    );
  });
});

describe('stored secrets', () => {
  it('are an argon2id hash, a sealed TOTP secret, and hashes of cookies and recovery codes', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    await enroll(world.api, browser);
    const { db } = world.api.api.context;
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
