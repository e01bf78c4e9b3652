import type { OwnSession } from '../../../../shared/contract/staff/auth.ts';
import { ROLES } from '../../../../shared/contract/staff.ts';
import { listAll, listPage } from '../../../env/staff/lists.ts';
import { STEP_MS, useSignInApi } from '../../../env/staff/sign-in-api.ts';
import {
  codeOf,
  login,
  makeBrowser,
  outcomeOf as outcome,
  type StaffBrowser,
  sameUser,
  signInAs,
  verify,
} from '../../../env/staff/staff.ts';

const MINUTE_MS = 60_000;
const SESSIONS = '/auth/v1/sessions';
const world = useSignInApi();
const { clock } = world;

/** Opens another session of the user in another browser. */
async function openAnother(user: StaffBrowser): Promise<StaffBrowser> {
  clock.advance(STEP_MS);
  const browser = sameUser(world.api, user);
  await login(browser);
  expect((await verify(browser, codeOf(user.secret, clock))).status).toBe(200);
  return browser;
}

const list = (browser: StaffBrowser) => listAll<OwnSession>(browser, SESSIONS);
const idOf = async (browser: StaffBrowser) =>
  (await list(browser)).find(({ current }) => current)?.id ?? '';
const end = (browser: StaffBrowser, id: string) =>
  browser.send({ method: 'DELETE', path: `${SESSIONS}/${id}` });
const isSignedIn = async (browser: StaffBrowser) =>
  (await browser.get('/auth/v1/session')).status === 200;

describe.each(ROLES)("a user's own sessions, as %s", (role) => {
  it('are listed latest first, with sign-in, last request, end and address', async () => {
    const first = await signInAs(world.api, role);
    const signedInAt = clock.now();
    const second = await openAnother(first);
    const openedAt = clock.now();
    clock.advance(MINUTE_MS);
    const seen = await list(second);
    expect(seen).toEqual([
      {
        id: expect.any(String),
        createdAt: openedAt.toISOString(),
        lastSeenAt: clock.now().toISOString(),
        expiresAt: new Date(openedAt.getTime() + 8 * 60 * MINUTE_MS).toISOString(),
        address: expect.stringMatching(/^198\.51\./),
        current: true,
      },
      expect.objectContaining({
        createdAt: signedInAt.toISOString(),
        lastSeenAt: signedInAt.toISOString(),
        current: false,
      }),
    ]);
    expect(seen[0]?.address).not.toBe(seen[1]?.address);
    expect(await listPage(second, SESSIONS)).toMatchObject({ total: 2, nextCursor: null });
  });
});

describe('the list of own sessions', () => {
  it('has no session of another user, no sign-in in progress and no expired session', async () => {
    const [user] = [await signInAs(world.api, 'REVIEWER'), await signInAs(world.api, 'REVIEWER')];
    clock.advance(14 * MINUTE_MS);
    const later = await openAnother(user);
    await login(sameUser(world.api, user));
    expect(await list(later)).toHaveLength(2);
    clock.advance(MINUTE_MS);
    expect(await list(later)).toEqual([expect.objectContaining({ current: true })]);
  });

  it('reveals nothing that would allow the use of a session', async () => {
    const user = await signInAs(world.api, 'REVIEWER');
    const { text } = await user.get(SESSIONS);
    const { db } = world.api.api.context;
    const { idHash } = await db.staffSession.findFirstOrThrow({ where: { userId: user.userId } });
    const hash = Buffer.from(idHash);
    for (const secret of [
      user.cookies.get('ppai-session') ?? '',
      hash.toString('hex'),
      hash.toString('base64url'),
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  it('needs a session', async () => {
    expect(outcome(await makeBrowser(world.api).get(SESSIONS))).toEqual({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
  });
});

describe('ending a session', () => {
  it('takes effect at once, and is audited', async () => {
    const user = await signInAs(world.api, 'REVIEWER');
    const other = await openAnother(user);
    const id = await idOf(other);
    expect(await end(user, id.toUpperCase())).toMatchObject({
      status: 200,
      envelope: { data: { done: true } },
    });
    expect(outcome(await other.get('/auth/v1/session'))).toEqual({
      status: 401,
      code: 'SESSION_EXPIRED',
    });
    expect(await isSignedIn(user)).toBe(true);
    expect(outcome(await end(user, id))).toEqual({ status: 404, code: 'NOT_FOUND' });
    const entry = await world.api.api.context.db.auditEntry.findFirst({
      orderBy: { sequence: 'desc' },
    });
    expect(entry).toMatchObject({
      action: 'SESSIONS_ENDED',
      actorId: user.userId,
      targetId: user.userId,
      after: { ended: 1, sessionId: id },
    });
  });

  it('signs out and deletes the cookie if it is the current one', async () => {
    const user = await signInAs(world.api, 'REVIEWER');
    expect((await end(user, await idOf(user))).status).toBe(200);
    expect(user.cookies.has('ppai-session')).toBe(false);
  });

  it("is NOT_FOUND for another user's session, even for an administrator, and ends nothing", async () => {
    const [user, administrator] = [
      await signInAs(world.api, 'REVIEWER'),
      await signInAs(world.api, 'ADMINISTRATOR'),
    ];
    for (const id of [await idOf(user), '00000000-0000-4000-8000-000000000000', 'nothing']) {
      expect(outcome(await end(administrator, id))).toEqual({ status: 404, code: 'NOT_FOUND' });
    }
    expect(await isSignedIn(user)).toBe(true);
  });

  it('needs the CSRF header', async () => {
    const user = await signInAs(world.api, 'REVIEWER');
    const answer = await user.send({
      method: 'DELETE',
      path: `${SESSIONS}/${await idOf(user)}`,
      headers: { 'x-ppai-csrf': undefined },
    });
    expect(outcome(answer)).toEqual({ status: 403, code: 'CSRF_FAILED' });
  });
});

describe('ending all other sessions', () => {
  const endOthers = (browser: StaffBrowser) => browser.post(`${SESSIONS}/end-others`);

  it('keeps this session and those of other users, and ends sign-ins in progress', async () => {
    const [user, otherUser] = [
      await signInAs(world.api, 'REVIEWER'),
      await signInAs(world.api, 'REVIEWER'),
    ];
    const others = [await openAnother(user), await openAnother(user)];
    clock.advance(STEP_MS);
    const signingIn = sameUser(world.api, user);
    await login(signingIn);
    expect((await endOthers(user)).envelope.data).toEqual({ ended: 2 });
    expect(await Promise.all([user, otherUser, ...others].map(isSignedIn))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(outcome(await verify(signingIn, codeOf(user.secret, clock)))).toEqual({
      status: 401,
      code: 'MFA_REQUIRED',
    });
    expect((await endOthers(user)).envelope.data).toEqual({ ended: 0 });
    const { db } = world.api.api.context;
    const where = { targetId: user.userId, action: 'SESSIONS_ENDED' };
    expect(await db.auditEntry.findMany({ where })).toEqual([
      expect.objectContaining({ after: { ended: 2 } }),
    ]);
  });

  it('leaves one session after two concurrent requests', async () => {
    const user = await signInAs(world.api, 'REVIEWER');
    const other = await openAnother(user);
    const answers = await Promise.all([endOthers(user), endOthers(other)]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
    const left = await Promise.all([user, other].map(isSignedIn));
    expect(left.filter((isLeft) => isLeft)).toHaveLength(1);
  });
});
