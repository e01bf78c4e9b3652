import { makeStaffOpenApi } from '../../../shared/contract/openapi/staff-document.ts';
import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';
import { makeBrowser, signInAs } from '../../env/staff/staff.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterAll(() => api.stop());

describe('the description of the staff realm', () => {
  it('is served to signed-in staff of every role, without an envelope and with no-store', async () => {
    const auditor = await signInAs(api, 'AUDITOR');
    const { status, headers, text } = await auditor.get('/admin/v1/openapi.json');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(makeStaffOpenApi())));
  });

  it('is served only with a session', async () => {
    const { status, envelope } = await makeBrowser(api).get('/admin/v1/openapi.json');
    expect({ status, code: envelope.error?.code }).toEqual({
      status: 401,
      code: 'UNAUTHENTICATED',
    });
    const machine = await api.sendRaw({ target: '/api/v1/openapi.json' });
    expect(machine.text).not.toContain('/admin/v1');
  });
});
