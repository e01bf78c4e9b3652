import { randomUUID } from 'node:crypto';
import { startTestApi, type TestApi } from '../env/api-env.ts';
import { workerAtWork } from '../env/backlog.ts';
import { untilSeen } from '../env/patience.ts';
import { makeProbe } from '../env/probe-handlers.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterEach(() => api.stop());

const look = async (target: string) => {
  const { status, text } = await api.sendRaw({ target });
  return { status, body: JSON.parse(text) as { status: string; checks: Record<string, string> } };
};

/** A transmission that was recorded a minute ago. */
async function insertWaiting(): Promise<void> {
  await api.api.context.db.$executeRaw`
      INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind,
        actor, request_hash, body_sealed, request_id, received_at, recorded_at)
      SELECT ${randomUUID()}::uuid, 1, 'PPAI-TX-2026-000000001', id, 'HEALTH-0001', 'CREATE', 'alpha', '\\x00', '\\x00', 'r', now(), now() - interval '60 seconds'
      FROM organizations LIMIT 1`;
}

describe('health', () => {
  it('is live and ready when database, migrations and queue are', async () => {
    expect(await look('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    expect(await look('/health/ready')).toEqual({
      status: 200,
      body: {
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', queue: 'ok', workers: 'ok' },
      },
    });
  });

  it('is not ready while a migration is missing, and still live', async () => {
    await api.api.context.db.$executeRaw`UPDATE _prisma_migrations SET rolled_back_at = now()`;
    const { status, body } = await look('/health/ready');
    expect({ status, migrations: body.checks['migrations'] }).toEqual({
      status: 503,
      migrations: expect.stringContaining('not applied'),
    });
    expect((await look('/health/live')).status).toBe(200);
  });

  it('is not ready while the database says nothing', async () => {
    const { db } = api.api.context;
    const silent = jest
      .spyOn(db, '$queryRaw')
      .mockImplementation(() => new Promise(() => undefined) as never);
    expect(await look('/health/ready')).toMatchObject({
      status: 503,
      body: { checks: { database: 'out of reach', migrations: 'ok', workers: 'out of reach' } },
    });
    silent.mockRestore();
  });

  it('is not ready while transmissions wait and no worker takes any', async () => {
    await insertWaiting();
    expect(await look('/health/ready')).toMatchObject({
      status: 503,
      body: { checks: { database: 'ok', workers: expect.stringContaining('no worker') } },
    });
    await workerAtWork(api.api.context.db, 1);
    await new Promise((done) => setTimeout(done, 1_100));
    expect(await look('/health/ready')).toMatchObject({ status: 200 });
  });
});

describe('metrics', () => {
  it('are in Prometheus form and count requests by route', async () => {
    await api.sendRaw({ target: '/api/v1/ppai/policies/search?policyNumber=secret' });
    const { status, text, headers } = await api.sendRaw({ target: '/metrics' });
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /registry_http_request_duration_seconds_count\{[^}]*route="\/ppai\/policies\/search"[^}]*status="401"[^}]*\} 1/,
    );
    expect(text).toContain('registry_queue_depth 0');
    expect(text).not.toContain('secret');
  });

  it('say how many workers are wanted when none runs', async () => {
    const read = async () => (await api.sendRaw({ target: '/metrics' })).text;
    const before = await read();
    expect(before).toContain('\nregistry_workers_wanted 0\n');
    await insertWaiting();
    // Who asks within the same second shares a look.
    const text = await untilSeen(read, (seen) => !seen.includes('\nregistry_workers_wanted 0\n'));
    expect(text).toContain('\nregistry_workers_wanted 1\n');
    expect(text).toContain('\nregistry_queue_depth 1\n');
  });
});
