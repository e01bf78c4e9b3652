import type { StaffEndpoint } from '../../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../../shared/contract/staff/endpoints.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import { STEP_MS, useSignInApi } from '../../../env/staff/sign-in-api.ts';
import {
  codeOf,
  login,
  makeBrowser,
  outcomeOf as outcome,
  type StaffBrowser,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

const HOUR_MS = 3_600_000;
const NEW = 'another long enough password';
const world = useSignInApi();
const { clock } = world;

interface NewUser {
  readonly browser: StaffBrowser;
  readonly password: string;
}

let users = 0;

async function createUser(role = 'ADMINISTRATOR'): Promise<NewUser> {
  const administrator = await signInAs(world.api, 'ADMINISTRATOR');
  const email = `initial-${++users}@staff.example`;
  const { envelope } = await administrator.post('/admin/v1/users', { email, role });
  const { user, initialPassword } = envelope.data as {
    user: { id: string };
    initialPassword: string;
  };
  return { browser: makeBrowser(world.api, email, user.id), password: initialPassword };
}

/** Signs in a new user and enrolls the second factor. */
async function signIn({ browser, password }: NewUser): Promise<StaffBrowser> {
  expect((await login(browser, password)).status).toBe(200);
  const { envelope } = await browser.post('/auth/v1/mfa/enroll');
  const secret = String(envelope.data?.['secret']);
  expect((await verify(browser, codeOf(secret, clock))).status).toBe(200);
  return browser;
}

const detailsOf = ({ envelope }: TestAnswer) => envelope.error?.details?.map(({ code }) => code);
const change = (browser: StaffBrowser, currentPassword: string) =>
  browser.post('/auth/v1/password', { currentPassword, newPassword: NEW });
const ANY_ID = '00000000-0000-4000-8000-000000000000';

/** The endpoints that a session with an initial password may not call. */
const forbidden = Object.entries<StaffEndpoint>(STAFF_ENDPOINTS).filter(
  ([name, { authentication }]) =>
    authentication === 'session' && !['readSession', 'changePassword', 'logout'].includes(name),
);

describe('a session with an initial password (D52)', () => {
  it('allows nothing but reading the session, changing the password and signing out', async () => {
    const browser = await signIn(await createUser());
    for (const [name, { method, path, body, upload }] of forbidden) {
      const [mediaType] = upload?.mediaTypes ?? [];
      const answer = await browser.send({
        method,
        path: path.replace(/\{\w+\}/g, ANY_ID),
        ...(body === undefined ? {} : { body: {} }),
        ...(mediaType === undefined ? {} : { body: '', headers: { 'content-type': mediaType } }),
      });
      expect({ name, ...outcome(answer), details: detailsOf(answer) }).toEqual({
        name,
        status: 403,
        code: 'FORBIDDEN',
        details: ['PASSWORD_CHANGE_REQUIRED'],
      });
    }
    expect((await browser.get('/auth/v1/session')).envelope.data).toMatchObject({
      passwordChangeDue: true,
    });
    expect((await browser.post('/auth/v1/logout')).status).toBe(200);
  });

  it('allows everything once the password is changed', async () => {
    const user = await createUser();
    const browser = await signIn(user);
    expect((await change(browser, user.password)).envelope.data).toMatchObject({
      passwordChangeDue: false,
    });
    const { envelope, status } = await browser.get(`/admin/v1/users/${browser.userId}`);
    expect(status).toBe(200);
    expect(envelope.data).toMatchObject({
      passwordChangeDue: false,
      initialPasswordExpiresAt: null,
    });
  });
});

describe('an initial password', () => {
  it.each([
    ['is valid for 71:59:59', -1_000, { status: 200, code: undefined }],
    ['has expired after 72 hours', 0, { status: 401, code: 'INVALID_CREDENTIALS' }],
  ])('%s', async (_what, differenceMs, expected) => {
    const { browser, password } = await createUser();
    clock.advance(72 * HOUR_MS + differenceMs);
    expect(outcome(await login(browser, password))).toEqual(expected);
  });

  it('is reported as expired only to a caller who knows it', async () => {
    const { browser, password } = await createUser();
    clock.advance(72 * HOUR_MS);
    const right = await login(browser, password);
    expect(right.envelope.error?.message).toMatch(/expired/);
    const wrong = await login(browser, 'wrong');
    expect(wrong.envelope.error?.message).not.toMatch(/expired/);
  });

  it('can no longer be changed once it expired during the session', async () => {
    const user = await createUser();
    clock.advance(72 * HOUR_MS - 60_000);
    const browser = await signIn(user);
    clock.advance(2 * 60_000);
    expect(outcome(await change(browser, user.password))).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    });
  });

  it('has the same limits after a reset; a password that its user chose never expires', async () => {
    const [administrator, user] = [
      await signInAs(world.api, 'ADMINISTRATOR'),
      await signInAs(world.api, 'REVIEWER'),
    ];
    const reset = await administrator.post(`/admin/v1/users/${user.userId}/password-reset`, {});
    const password = String(reset.envelope.data?.['initialPassword']);
    clock.advance(STEP_MS);
    await login(user, password);
    await verify(user, codeOf(user.secret, clock));
    expect(detailsOf(await user.get('/admin/v1/flags'))).toEqual(['PASSWORD_CHANGE_REQUIRED']);
    expect((await change(user, password)).status).toBe(200);
    clock.advance(1_000 * HOUR_MS);
    expect((await login(user, NEW)).status).toBe(200);
  });

  it('cannot be chosen by the administrator who resets it', async () => {
    const [administrator, user] = [
      await signInAs(world.api, 'ADMINISTRATOR'),
      await signInAs(world.api, 'REVIEWER'),
    ];
    const path = `/admin/v1/users/${user.userId}/password-reset`;
    expect(await administrator.post(path, { password: NEW })).toMatchObject({
      status: 422,
      envelope: { error: { details: [{ field: 'password' }] } },
    });
  });
});
