import { spawn } from 'node:child_process';
import { type ReadyDetails, ReadyMessage } from '../../../../shared/platform/config/supervised.ts';
import { findProjectRoot } from '../../../../shared/platform/project-root.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { environmentOf } from '../../../env/api/worker-process.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

const DRAIN_SECONDS = 3;

let test: TestApi;
beforeAll(async () => {
  test = await startTestApi({ handlers: makeProbe().handlers });
});
afterAll(() => test.stop());

it('after SIGTERM an API reports that it is not ready, and keeps serving for DRAIN_SECONDS', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'api/main.ts'], {
    cwd: findProjectRoot(),
    env: {
      ...environmentOf(test),
      PORT: '0',
      HEALTH_PORT: '0',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = new Promise<number | null>((done) => child.on('close', done));
  const untilSignalled = new Promise<void>((done) => {
    child.stdout?.on('data', (lines: Buffer) => {
      if (lines.includes('shutting down')) done();
    });
  });
  const { url, healthUrl } = await new Promise<ReadyDetails>((resolve, reject) => {
    child.on('message', (message) => resolve(ReadyMessage.parse(message).ready));
    child.on('exit', () => reject(new Error('the API ended before it was ready')));
  });
  const statusOf = async (target: string): Promise<number> => {
    const reply = await fetch(target, { headers: { connection: 'close' } });
    await reply.arrayBuffer();
    return reply.status;
  };
  expect(await statusOf(`${healthUrl}/health/ready`)).toBe(200);

  const signalledMs = performance.now();
  child.kill('SIGTERM');
  await untilSignalled;
  expect(await statusOf(`${healthUrl}/health/ready`)).toBe(503);
  // A new connection is accepted and answered as before.
  expect(await statusOf(`${url}/api/v1/openapi.json`)).toBe(200);
  expect(await statusOf(`${url}/health/live`)).toBe(200);
  await untilSeen(
    () => statusOf(`${url}/health/live`).catch(() => 0),
    (status) => status === 0,
  );
  expect(performance.now() - signalledMs).toBeGreaterThanOrEqual(DRAIN_SECONDS * 1_000 - 50);
  expect(await exited).toBe(0);
});
