import { STAFF_HANDLERS } from '../../../../api/staff/table.ts';
import { AppError } from '../../../../shared/contract/errors.ts';
import type { StaffEndpoint } from '../../../../shared/contract/staff/endpoint.ts';
import {
  STAFF_ENDPOINTS,
  type StaffEndpointName,
} from '../../../../shared/contract/staff/endpoints.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { fileOf, lineOf } from '../../../env/staff/reference-files.ts';
import { findStaffSessionOf } from '../../../env/staff/sessions.ts';
import {
  addStaffUser,
  enroll,
  STAFF_PASSWORD,
  type StaffBrowser,
} from '../../../env/staff/staff.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterAll(() => api.stop());

/** Not a GET, but it changes nothing: its transaction is READ ONLY. */
const READS = new Set(['tryRuleSet']);
const changes = Object.entries<StaffEndpoint>(STAFF_ENDPOINTS).filter(
  ([name, { method, authentication }]) =>
    method !== 'GET' && authentication === 'session' && !READS.has(name),
);

const ANY_ID = '00000000-0000-4000-8000-000000000000';
const PARAMS = new Proxy({}, { get: () => ANY_ID });
/** The members that handlers check before they begin their transaction. */
const BODY = {
  email: 'nobody@staff.example',
  password: STAFF_PASSWORD,
  currentPassword: STAFF_PASSWORD,
  newPassword: 'another long enough password',
  code: '000000',
};

async function addAdministrator(): Promise<StaffBrowser> {
  const browser = await addStaffUser(api, 'ADMINISTRATOR');
  await enroll(api, browser);
  return browser;
}

/** Runs the handler of a request that was authenticated before `meanwhile`. Returns the error code; undefined after a success. */
async function outcomeOf(name: string, meanwhile: (browser: StaffBrowser) => Promise<unknown>) {
  const { context } = api.api;
  const browser = await addAdministrator();
  const session = await findStaffSessionOf(context, browser);
  const { userId: id, email, role } = session;
  await meanwhile(browser);
  const handle = STAFF_HANDLERS[name as StaffEndpointName] as (
    ...given: unknown[]
  ) => Promise<unknown>;
  try {
    await handle(context, {
      name,
      session,
      staff: { id, email, role },
      params: PARAMS,
      query: {},
      body: BODY,
      upload: anyUpload(),
      cookies: { takeSession: () => '', takeChallenge: () => '', giveSession: () => '' },
      address: '203.0.113.7',
      requestId: 'acting-session',
      logger: context.logger,
      signal: new AbortController().signal,
    });
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

async function* anyUpload(): AsyncGenerator<Buffer> {
  yield Buffer.from(fileOf(lineOf('NCR')), 'utf8');
}

const { deleteSessions, disable, demote } = {
  deleteSessions: ({ userId }: StaffBrowser) =>
    api.api.context.db.staffSession.deleteMany({ where: { userId } }),
  disable: ({ userId: id }: StaffBrowser) =>
    api.api.context.db.staffUser.update({ where: { id }, data: { status: 'DISABLED' } }),
  demote: ({ userId: id }: StaffBrowser) =>
    api.api.context.db.staffUser.update({ where: { id }, data: { role: 'AUDITOR' } }),
};

describe.each(changes)('%s', (name, { permission }) => {
  it('changes nothing when the session ended after authentication', async () => {
    expect(await outcomeOf(name, deleteSessions)).toBe('SESSION_EXPIRED');
  });

  it('changes nothing when the user was disabled after authentication', async () => {
    expect(['SESSION_EXPIRED', 'INVALID_CREDENTIALS']).toContain(await outcomeOf(name, disable));
  });

  if (permission !== null) {
    it('changes nothing when the role changed after authentication', async () => {
      expect(await outcomeOf(name, demote)).toBe('FORBIDDEN');
    });
  }
});
