import { makeBody } from '../../../env/api/bodies.ts';
import { newNonce } from '../../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { OTHER_SETTINGS } from '../../../env/servers/other-settings.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ databaseDefaults: OTHER_SETTINGS });
});
afterAll(() => stack?.stop());

describe('on a database whose defaults would break the program', () => {
  it('a transmission is registered, and the waiting request gets its result', async () => {
    const before = Date.now();
    const { status, acknowledgment } = await stack.transmit('alpha', makeBody());
    expect(status).toBe(201);
    expect(acknowledgment.status).toBe('ACCEPTED');
    const receivedAt = Date.parse(acknowledgment.receivedAt);
    expect(receivedAt).toBeGreaterThanOrEqual(before);
    expect(receivedAt).toBeLessThanOrEqual(Date.now());
  });

  it('the database and the process agree on the time', async () => {
    const [read] = await stack.api.context.db.$queryRaw<{ at: Date }[]>`SELECT now() AS at`;
    expect(Math.abs((read?.at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('a replay is refused', async () => {
    const request = { path: '/ppai/transmissions/unknown', nonce: newNonce() };
    const timestamp = Math.floor(Date.now() / 1_000);
    expect((await stack.send('alpha', { ...request, timestamp })).status).toBe(404);
    const { status, envelope } = await stack.send('alpha', { ...request, timestamp });
    expect([status, envelope.error?.code]).toEqual([401, 'NONCE_REUSED']);
  });
});
