import type { StaffEndpoint } from '../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../shared/contract/staff/endpoints.ts';
import { PERMISSIONS, type Permission, ROLES, type Role } from '../../../shared/contract/staff.ts';
import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';
import { makeBrowser, type StaffBrowser, signInAs } from '../../env/staff/staff.ts';

let api: TestApi;
const staff = new Map<Role, StaffBrowser>();
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
  for (const role of ROLES) staff.set(role, await signInAs(api, role));
});
afterAll(() => api.stop());

/** The decided roles, repeated here so that a change of the table fails. A: ADMINISTRATOR, R: REVIEWER, U: AUDITOR. */
const DECIDED_ROLES: Readonly<Record<Permission, string>> = {
  'description:read': 'A R U',
  'organizations:read': 'A R U',
  'organizations:manage': 'A',
  'clients:read': 'A R U',
  'clients:manage': 'A',
  'rules:read': 'A R U',
  'rules:manage': 'A',
  'flags:read': 'A R U',
  'flags:review': 'A R',
  'records:read': 'A R U',
  'personal-data:read': 'A R',
  'reference:read': 'A R U',
  'reference:import': 'A',
  'queue:read': 'A R U',
  'queue:manage': 'A',
  'users:read': 'A U',
  'users:manage': 'A',
  'audit:read': 'A U',
};
const LETTERS = { ADMINISTRATOR: 'A', REVIEWER: 'R', AUDITOR: 'U' } as const;

const endpoints = Object.entries<StaffEndpoint>(STAFF_ENDPOINTS);
const guarded = endpoints.filter(([, { permission }]) => permission !== null);
const ANY_ID = '00000000-0000-4000-8000-000000000000';

function call(browser: StaffBrowser, { method, path, body, upload }: StaffEndpoint) {
  const [mediaType] = upload?.mediaTypes ?? [];
  return browser.send({
    method,
    path: path.replace(/\{\w+\}/g, ANY_ID),
    ...(body === undefined ? {} : { body: {} }),
    ...(mediaType === undefined ? {} : { body: '', headers: { 'content-type': mediaType } }),
  });
}

describe('the table of permissions', () => {
  it('matches the decision', () => {
    const table = Object.entries(PERMISSIONS).map(([permission, roles]) => [
      permission,
      roles.map((role) => LETTERS[role]).join(' '),
    ]);
    expect(Object.fromEntries(table)).toEqual(DECIDED_ROLES);
  });

  it('lets the AUDITOR only read', () => {
    const changing = guarded.filter(
      ([, { method, permission }]) =>
        method !== 'GET' && permission !== null && DECIDED_ROLES[permission].includes('U'),
    );
    expect(changing.map(([name]) => name)).toEqual([]);
  });

  it('covers every endpoint under /admin', () => {
    const open = endpoints.filter(
      ([, { path, permission, authentication }]) =>
        path.startsWith('/admin/') && (permission === null || authentication !== 'session'),
    );
    expect(open.map(([name]) => name)).toEqual([]);
  });
});

describe.each(guarded)('%s', (_name, endpoint) => {
  it.each(ROLES)('serves %s if and only if the role has the permission', async (role) => {
    const { status, envelope } = await call(staff.get(role) ?? makeBrowser(api), endpoint);
    const may = DECIDED_ROLES[endpoint.permission ?? 'audit:read'].includes(LETTERS[role]);
    expect({ role, isRefused: envelope?.error?.code === 'FORBIDDEN' }).toEqual({
      role,
      isRefused: !may,
    });
    expect(status).toBeLessThan(500);
    if (may) expect([401, 403]).not.toContain(status);
  });

  it('is UNAUTHENTICATED without a session', async () => {
    const { status, envelope } = await call(makeBrowser(api), endpoint);
    expect({ status, code: envelope.error?.code }).toEqual({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
  });
});

describe('a change of role', () => {
  it('takes effect on the next request', async () => {
    const browser = await signInAs(api, 'ADMINISTRATOR');
    await api.api.context.db.staffUser.update({
      where: { id: browser.userId },
      data: { role: 'REVIEWER' },
    });
    expect((await browser.get('/admin/v1/users')).envelope.error?.code).toBe('FORBIDDEN');
  });
});
