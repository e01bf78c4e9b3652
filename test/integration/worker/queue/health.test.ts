import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, openDb } from '../../../../shared/db/prisma.ts';
import { type HealthServer, listenForHealth } from '../../../../shared/platform/health-server.ts';
import { makeLogger } from '../../../../shared/platform/logger.ts';
import { makeMetrics } from '../../../../shared/platform/metrics.ts';
import { BATCH_MS_MAX, type HealthContext, makeWorkerHealth } from '../../../../worker/health.ts';
import { makeStats } from '../../../../worker/stats.ts';
import { fillBacklog } from '../../../env/api/backlog.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

/** Ample time for five requests that were sent together. */
const ALL_ARRIVED_MS = 1_000;
const UNREACHABLE_URL = 'postgresql://nobody:none@127.0.0.1:1/none';

let stack: Stack;
let health: HealthServer;
beforeAll(async () => {
  stack = await startStack({ workers: 0, environment: { BACKLOG_DRAIN_SECONDS: '600' } });
});
afterAll(() => stack.stop());
afterEach(() => health.close());

async function listenWith(db: Db, given: Partial<HealthContext> = {}): Promise<void> {
  const { config } = stack;
  health = await listenForHealth(
    makeWorkerHealth({
      db,
      config,
      logger: makeLogger({ level: 'silent', name: 'test' }),
      metrics: makeMetrics(),
      stats: makeStats(),
      isStopping: () => false,
      checkQueue: async () => undefined,
      ...given,
    }),
    { host: '127.0.0.1', port: 0 },
  );
}

async function request(path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${health.url}${path}`);
  return { status: response.status, text: await response.text() };
}

async function requestReadiness(): Promise<{ status: number; checks: unknown }> {
  const { status, text } = await request('/health/ready');
  return { status, checks: (JSON.parse(text) as { checks: unknown }).checks };
}

describe("a worker's health server", () => {
  it('is live and ready, and does not serve the API', async () => {
    await listenWith(stack.api.context.db);
    expect((await request('/health/live')).status).toBe(200);
    expect(await requestReadiness()).toEqual({
      status: 200,
      checks: { database: 'ok', queue: 'ok' },
    });
    expect((await request('/api/v1/ppai/policies')).status).toBe(404);
  });

  it('is not live while a batch takes too long, and live again when it ends', async () => {
    let nowMs = 0;
    const stats = makeStats(() => nowMs);
    await listenWith(stack.api.context.db, { stats });
    const endBatch = stats.startBatch();
    nowMs += BATCH_MS_MAX;
    expect((await request('/health/live')).status).toBe(200);
    nowMs += 1;
    expect(await request('/health/live')).toEqual({
      status: 503,
      text: expect.stringContaining('stuck'),
    });
    endBatch();
    expect((await request('/health/live')).status).toBe(200);
  });

  it('counts the waiting transmissions on a metrics request, once for simultaneous ones', async () => {
    await stack.post('alpha', '/ppai/policies', makeBody(), 'respond-async');
    await stack.post('bravo', '/ppai/policies', makeBody(), 'respond-async');
    const { db } = stack.api.context;
    const ask = db.$queryRaw as (...query: unknown[]) => Promise<unknown>;
    let counts = 0;
    // The API, whose database this is, measures the lag of its feed meanwhile.
    const queries = jest.spyOn(db, '$queryRaw').mockImplementation((async (...query: unknown[]) => {
      if (!String(query[0]).includes('AS waiting')) return Reflect.apply(ask, db, query);
      counts += 1;
      await sleep(ALL_ARRIVED_MS);
      return Reflect.apply(ask, db, query);
    }) as never);
    await listenWith(db);
    const answers = await Promise.all(Array.from({ length: 5 }, () => request('/metrics')));
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toContain('\nregistry_queue_depth 2\n');
      expect(text).toContain('\nregistry_workers_wanted 1\n');
    }
    expect(counts).toBe(1);
    queries.mockRestore();
  });

  it('publishes how many workers the waiting vehicles need', async () => {
    // A worker is expected to process a cost of 60,000 in BACKLOG_DRAIN_SECONDS; this is a cost of 60,500.
    await fillBacklog(stack.ownerDb, 'MGT-ONE', 1_210, { kind: 'CREATE', vehicles: 500 });
    await listenWith(stack.api.context.db);
    expect((await request('/metrics')).text).toContain('\nregistry_workers_wanted 2\n');
  });

  it('is not ready while the database is unreachable, but is live and has metrics', async () => {
    const db = openDb({ databaseUrl: UNREACHABLE_URL, poolMax: 1, applicationName: 'test' });
    await listenWith(db);
    expect(await requestReadiness()).toEqual({
      status: 503,
      checks: { database: 'out of reach', queue: 'ok' },
    });
    expect((await request('/health/live')).status).toBe(200);
    expect((await request('/health/processing')).status).toBe(503);
    const { status, text } = await request('/metrics');
    expect({ status, hasQueueDepth: text.includes('\nregistry_queue_depth ') }).toEqual({
      status: 200,
      hasQueueDepth: true,
    });
    await db.$disconnect();
  });

  it('is not ready while the database does not answer, but has metrics', async () => {
    const never = () => new Promise(() => undefined);
    await listenWith({ $queryRaw: never } as unknown as Db);
    const [ready, { status, text }] = await Promise.all([requestReadiness(), request('/metrics')]);
    expect(ready).toEqual({ status: 503, checks: { database: 'out of reach', queue: 'ok' } });
    expect({ status, hasQueueDepth: text.includes('\nregistry_queue_depth ') }).toEqual({
      status: 200,
      hasQueueDepth: true,
    });
  });

  it('is not ready while the queue is unreachable (D60)', async () => {
    const checkQueue = () => Promise.reject(new Error('gone'));
    await listenWith(stack.api.context.db, { checkQueue });
    expect(await requestReadiness()).toEqual({
      status: 503,
      checks: { database: 'ok', queue: 'out of reach' },
    });
    expect((await request('/health/live')).status).toBe(200);
  });

  it('is not ready once the worker is stopping', async () => {
    await listenWith(stack.api.context.db, { isStopping: () => true });
    expect((await requestReadiness()).status).toBe(503);
    expect((await request('/health/live')).status).toBe(200);
  });
});
