import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';

const READ = { path: '/ppai/transmissions/PPAI-TX-2026-000000001' };
const WAIT_MS = 3_600_000;

it('an API that stops answers waiting requests, closes their connections, and accepts no more', async () => {
  let api: TestApi | undefined;
  let reached: () => void = () => undefined;
  const isWaiting = new Promise<void>((done) => {
    reached = done;
  });
  const probe = makeProbe(async ({ signal }) => {
    const waited = api?.api.context.waiters.wait(
      '00000000-0000-0000-0000-000000000000',
      WAIT_MS,
      signal,
    );
    reached();
    await waited;
    return { status: 202, data: { status: 'RECEIVED' } };
  });
  api = await startTestApi({ handlers: probe.handlers });
  const answered = api.send('alpha', READ);
  await isWaiting;
  const stopped = api.stop();
  const { status, headers } = await answered;
  await stopped;
  expect({ status, connection: headers['connection'] }).toEqual({
    status: 202,
    connection: 'close',
  });
  await expect(api.sendRaw({ target: '/health/live' })).rejects.toThrow(/ECONNREFUSED/);
});
