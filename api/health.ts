import type { Express, Response } from 'express';
import { withClient } from '../shared/platform/with-client.ts';
import { PROBE_MS_MAX, within } from '../shared/platform/within.ts';
import { checkQueueMigrations } from '../shared/queue/migrate.ts';
import { readStanding, STALLED_SECONDS } from '../shared/store/backlog.ts';
import { makeBacklogGauges } from '../shared/store/backlog-gauges.ts';
import { checkMigrations } from '../shared/store/migrate.ts';
import type { ApiContext } from './context.ts';

/** Many callers share one look. */
const LOOK_AGAIN_MS = 1_000;

export interface Readiness {
  readonly ready: boolean;
  /** What is wrong, by part; `ok` where nothing is. */
  readonly checks: Readonly<Record<string, string>>;
}

/** For orchestrators and Prometheus, beside the API: plain answers, no envelope. */
export function mountHealth(app: Express, context: ApiContext): void {
  const look = shared(() => checkReadiness(context));
  const updateBacklogGauges = makeBacklogGauges(context);
  app.get('/health/live', (_request, response) => {
    sendPlain(response, 200, { status: 'live' });
  });
  app.get('/health/ready', async (_request, response) => {
    const { ready, checks } = await look();
    sendPlain(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
  });
  app.get('/metrics', async (_request, response) => {
    const { metrics } = context;
    await updateBacklogGauges();
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/** Ready when database, migrations and queue are, and somebody takes what waits. Never throws. */
export async function checkReadiness(context: ApiContext): Promise<Readiness> {
  const parts = {
    database: checkDatabase,
    migrations: checkSchemas,
    queue: checkQueue,
    workers: checkWorkers,
  };
  const checks = await Promise.all(
    Object.entries(parts).map(async ([part, check]) => {
      try {
        return [part, await within(PROBE_MS_MAX, check(context))] as const;
      } catch (err) {
        context.logger.warn({ err, part }, 'readiness check failed');
        return [part, 'out of reach'] as const;
      }
    }),
  );
  return { ready: checks.every(([, result]) => result === OK), checks: Object.fromEntries(checks) };
}

const OK = 'ok';

async function checkDatabase({ db }: ApiContext): Promise<string> {
  await db.$queryRaw`SELECT 1 AS one`;
  return OK;
}

/** Databases that were found complete; a schema doesn't go back. */
const complete = new WeakSet<ApiContext>();

async function checkSchemas(context: ApiContext): Promise<string> {
  if (complete.has(context)) return OK;
  const problems = await findSchemaProblems(context.config);
  if (problems.length > 0) return problems.join('; ');
  complete.add(context);
  return OK;
}

/** What is missing for this release, in the registry's tables and, without Redis, the queue's. */
export async function findSchemaProblems({
  databaseUrl,
  redisUrl,
}: {
  databaseUrl: string;
  redisUrl: string | undefined;
}): Promise<string[]> {
  return withClient(databaseUrl, 'api schema check', async (client) => [
    ...(await checkMigrations(client)),
    ...(redisUrl === undefined ? await checkQueueMigrations(client) : []),
  ]);
}

async function checkQueue({ producer }: ApiContext): Promise<string> {
  await producer.depth();
  return OK;
}

async function checkWorkers({ db }: ApiContext): Promise<string> {
  const { oldestSeconds, lastTakenSeconds = Number.POSITIVE_INFINITY } = await readStanding(db);
  const stalled = oldestSeconds > STALLED_SECONDS && lastTakenSeconds > STALLED_SECONDS;
  return stalled ? 'transmissions wait and no worker takes them' : OK;
}

function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let latest: { readonly at: number; readonly result: Promise<T> } | undefined;
  return () => {
    if (latest === undefined || performance.now() - latest.at > LOOK_AGAIN_MS) {
      latest = { at: performance.now(), result: look() };
    }
    return latest.result;
  };
}

function sendPlain(response: Response, status: number, body: object): void {
  response.status(status).setHeader('Cache-Control', 'no-store').json(body);
}
