import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { type HealthServer, listenForHealth } from '../../../../shared/platform/health-server.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { makeMetrics } from '../../../../shared/platform/metrics.ts';
import { type BatchesInHand, makeBatchesInHand } from '../../../../worker/batches-in-hand.ts';
import { BATCH_MS_MAX, type HealthContext, makeWorkerHealth } from '../../../../worker/health.ts';
import { fillBacklog } from '../../../env/api/backlog.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

const NOWHERE = 'postgresql://nobody:none@127.0.0.1:1/none';

let stack: Stack;
let health: HealthServer;
beforeAll(async () => {
  stack = await startStack({ workers: 0, environment: { BACKLOG_DRAIN_SECONDS: '600' } });
});
afterAll(() => stack.stop());
afterEach(() => health.close());

async function listenWith(
  db: Db,
  {
    batches = makeBatchesInHand(1),
    ...given
  }: { batches?: BatchesInHand } & Partial<HealthContext> = {},
): Promise<void> {
  const { config } = stack;
  health = await listenForHealth(
    makeWorkerHealth({
      db,
      config,
      logger: makeLogger({ level: 'silent', name: 'test' }),
      metrics: makeMetrics(),
      batches,
      isStopping: () => false,
      checkQueue: async () => undefined,
      ...given,
    }),
    { host: '127.0.0.1', port: 0 },
  );
}

async function look(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${health.url}${path}`);
  return { status: response.status, text: await response.text() };
}

async function lookForReady(): Promise<{ status: number; checks: unknown }> {
  const { status, text } = await look('/health/ready');
  return { status, checks: (JSON.parse(text) as { checks: unknown }).checks };
}

describe("a worker's own server", () => {
  it('is live and ready, and knows nothing else', async () => {
    await listenWith(stack.api.context.db);
    expect((await look('/health/live')).status).toBe(200);
    expect(await lookForReady()).toEqual({ status: 200, checks: { database: 'ok', queue: 'ok' } });
    expect((await look('/api/v1/ppai/policies')).status).toBe(404);
  });

  it('is not live any more when a batch does not end, and live again when it does', async () => {
    let nowMs = 0;
    const batches = makeBatchesInHand(1, { now: () => nowMs, pass: async () => undefined });
    await listenWith(stack.api.context.db, { batches });
    let end = () => {};
    const batch = { isPart: false, hasSmallShare: false, organizationIds: [] };
    const handled = batches.handle(
      async () => ({ batch }),
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    nowMs += BATCH_MS_MAX;
    expect((await look('/health/live')).status).toBe(200);
    nowMs += 1;
    expect(await look('/health/live')).toEqual({
      status: 503,
      text: expect.stringContaining('stands still'),
    });
    end();
    await handled;
    expect((await look('/health/live')).status).toBe(200);
  });

  it('publishes what waits at the moment when it is asked, and counts it then alone', async () => {
    await stack.post('alpha', '/ppai/policies', makeBody(), 'respond-async');
    await stack.post('bravo', '/ppai/policies', makeBody(), 'respond-async');
    const { db } = stack.api.context;
    const asked = jest.spyOn(db, '$queryRaw');
    await listenWith(db);
    const looks = await Promise.all(Array.from({ length: 5 }, () => look('/metrics')));
    for (const { status, text } of looks) {
      expect(status).toBe(200);
      expect(text).toContain('\nregistry_queue_depth 2\n');
      expect(text).toContain('\nregistry_workers_wanted 1\n');
    }
    expect(asked).toHaveBeenCalledTimes(1);
    asked.mockRestore();
  });

  it('wants as many workers as the vehicles that wait need', async () => {
    // A worker is expected to settle 60,000 certificates of one vehicle in that time; this is as much as 60,500.
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1_210, { kind: 'CREATE', vehicles: 500 });
    await listenWith(stack.api.context.db);
    expect((await look('/metrics')).text).toContain('\nregistry_workers_wanted 2\n');
  });

  it('is not ready while the database is out of reach, and still live and measured', async () => {
    const db = openDb({ databaseUrl: NOWHERE, poolMax: 1, applicationName: 'test' });
    await listenWith(db);
    expect(await lookForReady()).toEqual({
      status: 503,
      checks: { database: 'out of reach', queue: 'ok' },
    });
    expect((await look('/health/live')).status).toBe(200);
    expect((await look('/health/processing')).status).toBe(503);
    const { status, text } = await look('/metrics');
    expect({ status, isThere: text.includes('\nregistry_queue_depth ') }).toEqual({
      status: 200,
      isThere: true,
    });
    await db.$disconnect();
  });

  it('is not ready while the database says nothing, and measured', async () => {
    const never = () => new Promise(() => undefined);
    await listenWith({ $queryRaw: never } as unknown as Db);
    const [ready, { status, text }] = await Promise.all([lookForReady(), look('/metrics')]);
    expect(ready).toEqual({ status: 503, checks: { database: 'out of reach', queue: 'ok' } });
    expect({ status, isThere: text.includes('\nregistry_queue_depth ') }).toEqual({
      status: 200,
      isThere: true,
    });
  });

  it('is not ready while the queue is out of reach (D60)', async () => {
    const checkQueue = () => Promise.reject(new Error('gone'));
    await listenWith(stack.api.context.db, { checkQueue });
    expect(await lookForReady()).toEqual({
      status: 503,
      checks: { database: 'ok', queue: 'out of reach' },
    });
    expect((await look('/health/live')).status).toBe(200);
  });

  it('is not ready any more once the worker was told to end', async () => {
    await listenWith(stack.api.context.db, { isStopping: () => true });
    expect((await lookForReady()).status).toBe(503);
    expect((await look('/health/live')).status).toBe(200);
  });
});
