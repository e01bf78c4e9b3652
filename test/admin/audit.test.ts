import { startTestApi, type TestApi } from '../env/api-env.ts';
import { makeProbe } from '../env/probe-handlers.ts';
import { type StaffBrowser, signInAs } from '../env/staff.ts';

let api: TestApi;
let administrator: StaffBrowser;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
  administrator = await signInAs(api, 'ADMINISTRATOR');
});
afterAll(() => api.stop());

describe('the audit log', () => {
  it('tells who did what, when and from where, latest first', async () => {
    const { status, envelope } = await administrator.get('/admin/v1/audit?limit=1');
    expect({ status, data: envelope.data }).toEqual({
      status: 200,
      data: {
        items: [
          expect.objectContaining({
            sequence: 2,
            action: 'SIGNED_IN',
            actor: {
              kind: 'STAFF',
              id: administrator.userId,
              email: administrator.email,
              role: 'ADMINISTRATOR',
            },
            target: { type: 'USER', id: administrator.userId },
          }),
        ],
        nextCursor: expect.any(String),
        total: 2,
      },
    });
  });
});
