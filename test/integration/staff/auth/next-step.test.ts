import { useSignInApi } from '../../../env/staff/sign-in-api.ts';
import { addStaffUser, login, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';

const world = useSignInApi();
const { clock } = world;

/** The answer to a page that was loaded again during a sign-in. */
async function reload(browser: StaffBrowser) {
  const { status, envelope } = await browser.get('/auth/v1/session');
  return { status, code: envelope.error?.code, data: envelope.data };
}

function waitsFor(next: string | null) {
  return { status: 401, code: 'MFA_REQUIRED', data: next === null ? null : { next } };
}

describe('the session during a sign-in names the next step', () => {
  it('a code, for a user with a second factor', async () => {
    const browser = await signInAs(world.api, 'REVIEWER');
    await browser.post('/auth/v1/logout');
    await login(browser);
    expect(await reload(browser)).toEqual(waitsFor('MFA_REQUIRED'));
  });

  it('an enrollment, for a user without one, also after it began', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    await login(browser);
    expect(await reload(browser)).toEqual(waitsFor('MFA_ENROLLMENT_REQUIRED'));
    await browser.post('/auth/v1/mfa/enroll');
    expect(await reload(browser)).toEqual(waitsFor('MFA_ENROLLMENT_REQUIRED'));
  });

  it('none, when the sign-in took too long or its user was disabled', async () => {
    const late = await addStaffUser(world.api, 'REVIEWER');
    await login(late);
    clock.advance(5 * 60_000 + 1_000);
    expect(await reload(late)).toEqual(waitsFor(null));
    const disabled = await addStaffUser(world.api, 'REVIEWER');
    await login(disabled);
    const { db } = world.api.api.context;
    await db.staffUser.update({ where: { id: disabled.userId }, data: { status: 'DISABLED' } });
    expect(await reload(disabled)).toEqual(waitsFor(null));
  });

  it('only there: other endpoints answer null', async () => {
    const browser = await addStaffUser(world.api, 'REVIEWER');
    await login(browser);
    const { status, envelope } = await browser.get('/admin/v1/flags');
    expect({ status, data: envelope.data }).toEqual({ status: 401, data: null });
  });
});
