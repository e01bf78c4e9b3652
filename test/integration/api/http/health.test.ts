import { randomUUID } from 'node:crypto';
import { openDb, type Tx } from '../../../../shared/db/prisma.ts';
import { checkDatabase } from '../../../../shared/store/health-checks.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { reportBusyWorker } from '../../../env/api/backlog.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { untilSeen } from '../../../env/server-timeouts.ts';

let api: TestApi;
beforeEach(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterEach(() => api.stop());

interface HealthBody {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

const readHealth = async (path: string) => {
  const { status, text } = await api.getHealth(path);
  return { status, body: JSON.parse(text) as HealthBody };
};

/** A transmission that was recorded a minute ago. */
async function insertWaiting(): Promise<void> {
  await api.api.context.db.$executeRaw`
      INSERT INTO transmissions (id, sequence, transmission_reference, organization_id, external_transaction_id, kind,
        actor, request_hash, body_sealed, request_id, received_at, recorded_at)
      SELECT ${randomUUID()}::uuid, 1, 'PPAI-TX-2026-000000001', id, 'HEALTH-0001', 'CREATE', 'alpha', '\\x00', '\\x00', 'r', now(), now() - interval '60 seconds'
      FROM organizations LIMIT 1`;
}

describe('the public port', () => {
  it('reports that the process is live, and nothing else about its state', async () => {
    const { status, text } = await api.sendRaw({ target: '/health/live' });
    expect({ status, body: JSON.parse(text) }).toEqual({ status: 200, body: { status: 'live' } });
    for (const target of ['/health/ready', '/health/processing', '/metrics']) {
      const answer = await api.sendRaw({ target });
      expect({ target, status: answer.status, code: answer.envelope.error?.code }).toEqual({
        target,
        status: 404,
        code: 'NOT_FOUND',
      });
    }
  });
});

describe('an API process (D60)', () => {
  it('is live and ready when it can authenticate, receive and answer', async () => {
    expect(await readHealth('/health/live')).toMatchObject({
      status: 200,
      body: { status: 'live' },
    });
    expect(await readHealth('/health/ready?from=probe')).toEqual({
      status: 200,
      body: {
        status: 'ready',
        checks: { database: 'ok', migrations: 'ok', nonces: 'ok', limits: 'ok', queue: 'ok' },
      },
    });
  });

  it('is live but not ready while a migration is missing', async () => {
    await api.ownerDb.$executeRaw`UPDATE _prisma_migrations SET rolled_back_at = now()`;
    const { status, body } = await readHealth('/health/ready');
    expect({ status, migrations: body.checks['migrations'] }).toEqual({
      status: 503,
      migrations: expect.stringContaining('not applied'),
    });
    expect((await readHealth('/health/live')).status).toBe(200);
  });

  it('is not ready while the database does not answer', async () => {
    const { db } = api.api.context;
    const rejects: ((reason: Error) => void)[] = [];
    const silent = jest
      .spyOn(db, '$queryRaw')
      .mockImplementation(() => new Promise((_, reject) => rejects.push(reject)) as never);
    expect(await readHealth('/health/ready')).toMatchObject({
      status: 503,
      body: { checks: { database: 'out of reach', migrations: 'ok' } },
    });
    silent.mockRestore();
    // A background task of the process may be waiting for one of these queries.
    for (const reject of rejects) reject(new Error('the connection was closed'));
  });

  it('recognizes a database that answers but accepts no writes, such as a standby', async () => {
    const { databaseUrl } = api.config;
    const db = openDb({ databaseUrl, poolMax: 1, applicationName: 'test' });
    expect(await checkDatabase(db)).toBe('ok');
    await db.$executeRaw`SET default_transaction_read_only = on`;
    expect(await checkDatabase(db)).toBe('takes no writes');
    await db.$disconnect();
  });

  it('is not ready while the second copy of nonces cannot be written', async () => {
    await api.ownerDb.$executeRaw`ALTER TABLE nonces_ahead ADD CHECK (client_id = '') NOT VALID`;
    expect(await readHealth('/health/ready')).toMatchObject({
      status: 503,
      body: { checks: { database: 'ok', nonces: 'out of reach', limits: 'ok' } },
    });
  });

  it('is ready while only the queue is out of reach, because workers also find work in the rows', async () => {
    jest.spyOn(api.api.context.producer, 'depth').mockRejectedValue(new Error('gone'));
    expect(await readHealth('/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ready', checks: { queue: 'out of reach' } },
    });
  });

  it('is ready while no worker claims waiting work, which /health/processing and a metric report', async () => {
    await insertWaiting();
    expect(await readHealth('/health/processing')).toMatchObject({
      status: 503,
      body: { status: 'stalled', lastTakenSeconds: null, workers: 0 },
    });
    expect((await readHealth('/health/ready')).status).toBe(200);
    expect((await api.getHealth('/metrics')).text).toContain('\nregistry_processing_stalled 1\n');
    await reportBusyWorker(api.api.context.db, 1);
    expect(await readHealth('/health/processing')).toMatchObject({
      status: 200,
      body: { status: 'processing', workers: 1 },
    });
    const text = await untilSeen(
      async () => (await api.getHealth('/metrics')).text,
      (seen) => seen.includes('\nregistry_processing_stalled 0\n'),
    );
    expect(text).toContain('\nregistry_processing_stalled 0\n');
  });

  it('is not ready once it drains, but still answers requests', async () => {
    expect((await readHealth('/health/ready')).status).toBe(200);
    api.api.startDraining();
    expect((await readHealth('/health/ready')).status).toBe(503);
    expect((await readHealth('/health/live')).status).toBe(200);
    expect((await api.send('alpha', { path: '/ppai/policies/search?cocNumber=C-1' })).status).toBe(
      200,
    );
  });
});

describe('metrics', () => {
  it('have the Prometheus format and count requests by route', async () => {
    await api.sendRaw({ target: '/api/v1/ppai/policies/search?policyNumber=secret' });
    const { status, text, headers } = await api.getHealth('/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toMatch(
      /registry_http_request_duration_seconds_count\{[^}]*route="\/ppai\/policies\/search"[^}]*status="401"[^}]*\} 1/,
    );
    expect(text).toContain('registry_queue_depth 0');
    expect(text).not.toContain('secret');
  });

  it('report how long an open transaction has held the change feed back (D37)', async () => {
    const read = async () => (await api.getHealth('/metrics')).text;
    const isHeldBack = (text: string) => /\nregistry_feed_lag_seconds [1-9]/.test(text);
    const holdBack = async (tx: Tx) => {
      await tx.$queryRaw`SELECT pg_current_xact_id()::text`;
      return untilSeen(read, isHeldBack);
    };
    const seen = await api.api.context.db.$transaction(holdBack, { timeout: 30_000 });
    expect(isHeldBack(seen)).toBe(true);
  });

  it('report how many organizations still wait for the records of a changed pool (D87)', async () => {
    const { db } = api.api.context;
    const read = async () => (await api.getHealth('/metrics')).text;
    const isReported = (count: number) =>
      untilSeen(read, (text) => text.includes(`\nregistry_pools_to_show ${count}\n`));
    const pool = await db.insurancePool.findFirstOrThrow();
    const note = {
      poolId: pool.organizationId,
      organizationId: pool.leadInsurerId,
      lastSequence: 0,
    };
    await db.poolToShow.create({ data: note });
    expect(await isReported(1)).toContain('\nregistry_pools_to_show 1\n');
    await db.poolToShow.deleteMany();
    expect(await isReported(0)).toContain('\nregistry_pools_to_show 0\n');
  });

  it('report how many workers are wanted while none runs', async () => {
    const read = async () => (await api.getHealth('/metrics')).text;
    const before = await read();
    expect(before).toContain('\nregistry_workers_wanted 0\n');
    await insertWaiting();
    // Requests within one second share one query.
    const text = await untilSeen(read, (seen) => !seen.includes('\nregistry_workers_wanted 0\n'));
    expect(text).toContain('\nregistry_workers_wanted 1\n');
    expect(text).toContain('\nregistry_queue_depth 1\n');
  });
});
