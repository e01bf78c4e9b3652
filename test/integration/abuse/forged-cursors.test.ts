import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';
import { type StaffBrowser, signInAs } from '../../env/staff/staff.ts';

let api: TestApi;
let browser: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
  browser = await signInAs(api, 'ADMINISTRATOR');
});
afterAll(() => api.stop());

const ID = '00000000-0000-4000-8000-000000000000';

describe('a cursor that looks like one of a list and is none', () => {
  it.each([
    ['rule-sets', ['999999-12-31 23:59:59.999999+15:59', ID]],
    ['rule-sets', ['2026-02-30 00:00:00+00', ID]],
    ['rule-sets', ['2026-01-01 24:00:00+00', ID]],
    ['rule-sets', ['0000-01-01 00:00:00+00', ID]],
    ['queue/parked', ['2026-01-01 00:00:00+25', ID]],
    [`pools/${ID}/memberships`, ['2026-13-01', ID]],
    ['reference/regions', ['a\u0000b']],
    ['reference/regions', ['\ud800']],
    ['records', ['a\u0000b']],
    ['audit', ['9'.repeat(19)]],
    ['organizations', [ID, '2026-01-01 00:00:00+00']],
  ])('is refused by %s: %j', async (list, key) => {
    const cursor = Buffer.from(JSON.stringify(key), 'utf8').toString('base64url');
    const { status, envelope } = await browser.get(`/admin/v1/${list}?cursor=${cursor}`);
    const isKnown =
      envelope.error?.code === 'NOT_FOUND' || envelope.error?.code === 'VALIDATION_FAILED';
    expect({ status, isKnown }).toEqual({ status: list.includes(ID) ? 404 : 422, isKnown: true });
  });
});
