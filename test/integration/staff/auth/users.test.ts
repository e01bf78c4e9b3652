import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import type { TestAnswer } from '../../../env/api/signed-request.ts';
import {
  addStaffUser,
  codeOf,
  makeBrowser,
  STAFF_PASSWORD,
  type StaffBrowser,
  signInAs,
} from '../../../env/staff/staff.ts';

const clock = makeMovableClock(new Date('2026-11-20T08:00:00Z'));
let api: TestApi;
let administrator: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, clock });
  // There is no other administrator, so that this one can be the last.
  await api.api.context.db.staffUser.updateMany({
    where: { role: 'ADMINISTRATOR' },
    data: { role: 'AUDITOR' },
  });
  administrator = await signInAs(api, 'ADMINISTRATOR');
});
afterAll(() => api.stop());
beforeEach(() => clock.advance(1_000));

const outcome = ({ status, envelope }: TestAnswer) => ({ status, code: envelope.error?.code });
const act = (userId: string, what: string, body?: object) =>
  administrator.post(`/admin/v1/users/${userId}/${what}`, body);
const setRole = (userId: string, role: string, by = administrator) =>
  by.send({ method: 'PUT', path: `/admin/v1/users/${userId}/role`, body: { role } });
const isSignedIn = async (browser: StaffBrowser) =>
  (await browser.get('/auth/v1/session')).status === 200;

async function auditOf(userId: string): Promise<unknown[]> {
  const { envelope } = await administrator.get(
    `/admin/v1/audit?targetType=USER&targetId=${userId}&actorId=${administrator.userId}`,
  );
  const { items } = envelope.data as unknown as {
    items: { action: string; before: unknown; after: unknown }[];
  };
  return items.map(({ action, before, after }) => ({ action, before, after })).reverse();
}

describe('creating a user', () => {
  it('returns a password once; with it the user signs in and enrolls', async () => {
    const email = 'New.Person@staff.example';
    const { status, headers, envelope } = await administrator.post('/admin/v1/users', {
      email,
      role: 'REVIEWER',
    });
    const { user, initialPassword } = envelope.data as {
      user: { id: string };
      initialPassword: string;
    };
    expect({ status, user, location: headers['location'] }).toEqual({
      status: 201,
      location: `/admin/v1/users/${user.id}`,
      user: {
        id: expect.any(String),
        email: 'new.person@staff.example',
        role: 'REVIEWER',
        status: 'ACTIVE',
        mfaEnrolled: false,
        passwordChangeDue: true,
        initialPasswordExpiresAt: new Date(clock.now().getTime() + 72 * 3_600_000).toISOString(),
        lockedUntil: null,
        createdAt: clock.now().toISOString(),
        lastSignedInAt: null,
      },
    });
    const answer = await makeBrowser(api).post('/auth/v1/login', {
      email,
      password: initialPassword,
    });
    expect(answer.envelope.data).toEqual({ next: 'MFA_ENROLLMENT_REQUIRED' });
    expect((await administrator.get(`/admin/v1/users/${user.id}`)).envelope.data).toEqual(user);
    expect(await auditOf(user.id)).toEqual([
      {
        action: 'USER_CREATED',
        before: null,
        after: { email: 'n***@staff.example', role: 'REVIEWER' },
      },
    ]);
  });

  it('accepts no password from the administrator, and no address twice', async () => {
    const body = { email: 'given@staff.example', role: 'AUDITOR' };
    expect(
      await administrator.post('/admin/v1/users', { ...body, password: STAFF_PASSWORD }),
    ).toMatchObject({ status: 422, envelope: { error: { details: [{ field: 'password' }] } } });
    expect((await administrator.post('/admin/v1/users', body)).status).toBe(201);
    expect(
      outcome(
        await administrator.post('/admin/v1/users', { ...body, email: 'GIVEN@staff.example' }),
      ),
    ).toEqual({
      status: 409,
      code: 'CONFLICT',
    });
  });

  it.each([
    ['role', { email: 'x@staff.example', role: 'OWNER' }],
    ['email', { email: 'nobody', role: 'AUDITOR' }],
    ['status', { email: 'x@staff.example', role: 'AUDITOR', status: 'DISABLED' }],
  ])('refuses a wrong %s', async (field, body) => {
    expect(await administrator.post('/admin/v1/users', body)).toMatchObject({
      status: 422,
      envelope: { error: { details: [{ field }] } },
    });
  });
});

describe('managing a user', () => {
  it('disables the user at once: sessions end, and sign-ins are refused', async () => {
    const user = await signInAs(api, 'REVIEWER');
    expect((await act(user.userId, 'disable')).envelope.data).toMatchObject({ status: 'DISABLED' });
    expect(await isSignedIn(user)).toBe(false);
    const login = { email: user.email, password: STAFF_PASSWORD };
    expect(outcome(await user.post('/auth/v1/login', login))).toEqual({
      status: 401,
      code: 'INVALID_CREDENTIALS',
    });
    expect((await act(user.userId, 'enable')).envelope.data).toMatchObject({ status: 'ACTIVE' });
    expect(await isSignedIn(user)).toBe(false);
    expect((await user.post('/auth/v1/login', login)).status).toBe(200);
    expect(await auditOf(user.userId)).toEqual([
      { action: 'USER_DISABLED', before: { status: 'ACTIVE' }, after: { status: 'DISABLED' } },
      { action: 'USER_ENABLED', before: { status: 'DISABLED' }, after: { status: 'ACTIVE' } },
    ]);
  });

  it('changes the role and ends the sessions', async () => {
    const user = await signInAs(api, 'REVIEWER');
    expect((await setRole(user.userId, 'AUDITOR')).envelope.data).toMatchObject({
      role: 'AUDITOR',
    });
    expect(await isSignedIn(user)).toBe(false);
    expect(await auditOf(user.userId)).toEqual([
      { action: 'USER_ROLE_CHANGED', before: { role: 'REVIEWER' }, after: { role: 'AUDITOR' } },
    ]);
  });

  it('is not audited when nothing changes', async () => {
    const user = await signInAs(api, 'REVIEWER');
    expect((await setRole(user.userId, 'REVIEWER')).status).toBe(200);
    expect((await act(user.userId, 'enable')).status).toBe(200);
    expect(await auditOf(user.userId)).toEqual([]);
    expect(await isSignedIn(user)).toBe(true);
  });

  it('resets the second factor: the next sign-in enrolls a new one, and recovery codes become void', async () => {
    const user = await signInAs(api, 'REVIEWER');
    expect((await act(user.userId, 'mfa-reset')).envelope.data).toMatchObject({
      mfaEnrolled: false,
    });
    expect(await isSignedIn(user)).toBe(false);
    const login = { email: user.email, password: STAFF_PASSWORD };
    expect((await user.post('/auth/v1/login', login)).envelope.data).toEqual({
      next: 'MFA_ENROLLMENT_REQUIRED',
    });
    const enrolling = await user.post('/auth/v1/mfa/enroll');
    const recovery = await user.post('/auth/v1/mfa/verify', { code: user.recoveryCodes[0] });
    expect(outcome(recovery)).toEqual({ status: 401, code: 'INVALID_MFA_CODE' });
    const code = codeOf(String(enrolling.envelope.data?.['secret']), clock);
    expect((await user.post('/auth/v1/mfa/verify', { code })).status).toBe(200);
  });

  it('ends a sign-in in progress', async () => {
    const user = await signInAs(api, 'REVIEWER');
    clock.advance(30_000);
    await user.post('/auth/v1/login', { email: user.email, password: STAFF_PASSWORD });
    await act(user.userId, 'password-reset', {});
    const code = codeOf(user.secret, clock);
    expect(outcome(await user.post('/auth/v1/mfa/verify', { code }))).toEqual({
      status: 401,
      code: 'MFA_REQUIRED',
    });
  });

  it('resets the password and unlocks the user', async () => {
    const user = await signInAs(api, 'REVIEWER');
    const login = (password: string) =>
      makeBrowser(api).post('/auth/v1/login', { email: user.email, password });
    for (let guess = 0; guess < 5; guess += 1) await login('wrong');
    const locked = await administrator.get(`/admin/v1/users/${user.userId}`);
    expect(locked.envelope.data?.['lockedUntil']).toBe(
      new Date(clock.now().getTime() + 15 * 60_000).toISOString(),
    );
    const { envelope } = await act(user.userId, 'password-reset', {});
    expect(envelope.data?.['user']).toMatchObject({ lockedUntil: null, passwordChangeDue: true });
    expect(await isSignedIn(user)).toBe(false);
    expect((await login(STAFF_PASSWORD)).status).toBe(401);
    expect((await login(String(envelope.data?.['initialPassword']))).status).toBe(200);
  });

  it('is NOT_FOUND for an unknown user', async () => {
    for (const userId of ['00000000-0000-4000-8000-000000000000', 'nobody']) {
      for (const what of ['disable', 'enable', 'mfa-reset']) {
        expect(outcome(await act(userId, what))).toEqual({ status: 404, code: 'NOT_FOUND' });
      }
      expect((await setRole(userId, 'AUDITOR')).status).toBe(404);
      expect((await administrator.get(`/admin/v1/users/${userId}`)).status).toBe(404);
    }
  });
});

describe('the last active administrator', () => {
  const conflict = { status: 409, code: 'CONFLICT' };

  it('can neither be disabled nor get another role', async () => {
    const disabled = await addStaffUser(api, 'ADMINISTRATOR');
    await act(disabled.userId, 'disable');
    expect(outcome(await act(administrator.userId, 'disable'))).toEqual(conflict);
    expect(outcome(await setRole(administrator.userId, 'REVIEWER'))).toEqual(conflict);
    expect(await isSignedIn(administrator)).toBe(true);
  });

  it('remains when two administrators disable, or demote, each other at once', async () => {
    for (const what of ['disable', 'demote'] as const) {
      const other = await signInAs(api, 'ADMINISTRATOR');
      const on = (by: StaffBrowser, { userId }: StaffBrowser) =>
        what === 'disable'
          ? by.post(`/admin/v1/users/${userId}/disable`)
          : setRole(userId, 'REVIEWER', by);
      const answers = await Promise.all([on(administrator, other), on(other, administrator)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const { db } = api.api.context;
      const left = await db.staffUser.findMany({
        where: { role: 'ADMINISTRATOR', status: 'ACTIVE' },
      });
      expect(left).toHaveLength(1);
      if (left[0]?.id === other.userId) administrator = other;
    }
  });
});

describe('the list of users', () => {
  it('is paged by cursor, newest first, with the total number of matches', async () => {
    const added = [];
    for (let at = 0; at < 5; at += 1) {
      clock.advance(1_000);
      added.push((await addStaffUser(api, 'AUDITOR', `page-${at}@list.example`)).email);
    }
    const seen: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page += 1) {
      const { envelope } = await administrator.get(
        `/admin/v1/users?email=LIST.example&role=AUDITOR&status=ACTIVE&limit=2${cursor}`,
      );
      const { items, nextCursor, total } = envelope.data as {
        items: { email: string }[];
        nextCursor: string | null;
        total: number;
      };
      expect(total).toBe(5);
      seen.push(...items.map(({ email }) => email));
      expect(nextCursor === null).toBe(page === 2);
      cursor = `&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(added.reverse());
  });

  it('neither repeats nor skips a user when one is added meanwhile', async () => {
    const first = await administrator.get('/admin/v1/users?email=list.example&limit=3');
    await addStaffUser(api, 'AUDITOR', 'meanwhile@list.example');
    const cursor = String(first.envelope.data?.['nextCursor']);
    const second = await administrator.get(
      `/admin/v1/users?email=list.example&limit=3&cursor=${cursor}`,
    );
    const emails = [first, second].flatMap(({ envelope }) => {
      const { items } = envelope.data as unknown as { items: { email: string }[] };
      return items.map(({ email }) => email);
    });
    expect(emails).toEqual([4, 3, 2, 1, 0].map((at) => `page-${at}@list.example`));
  });

  it.each([
    ['cursor', 'cursor=nonsense'],
    ['cursor', `cursor=${Buffer.from('["a","b"]').toString('base64url')}`],
    ['cursor', `cursor=${Buffer.from('["2026-11-20 08:00:00+00"]').toString('base64url')}`],
    ['limit', 'limit=0'],
    ['limit', 'limit=201'],
    ['role', 'role=OWNER'],
    ['page', 'page=1'],
  ])('refuses a wrong %s', async (field, query) => {
    expect(await administrator.get(`/admin/v1/users?${query}`)).toMatchObject({
      status: 422,
      envelope: { error: { code: 'VALIDATION_FAILED', details: [{ field }] } },
    });
  });
});
