import type { Express } from 'express';
import { checkMigrations } from '../../shared/db/migrate.ts';
import { checkGrants } from '../../shared/db/service-role.ts';
import { withClient } from '../../shared/db/with-client.ts';
import type { Health } from '../../shared/platform/health-server.ts';
import { makeReadiness, OK } from '../../shared/platform/readiness.ts';
import { PROBE_MS_MAX, withTimeout } from '../../shared/platform/with-timeout.ts';
import { checkQueueMigrations } from '../../shared/queue/migrate.ts';
import { checkDatabase, checkProcessing } from '../../shared/store/health-checks.ts';
import { makeBacklogGauges } from '../../shared/store/intake/backlog-gauges.ts';
import type { ApiContext } from '../context.ts';

/** The public port only shows that the process answers. HEALTH_PORT has everything else. */
export function mountLiveness(app: Express): void {
  app.get('/health/live', (_request, response) => {
    response.status(200).setHeader('Cache-Control', 'no-store').json({ status: 'live' });
  });
}

/**
 * An API process is ready when it can authenticate, receive and answer (D60). It does not need the queue for that: the workers'
 * sweeper finds transmissions without a job in their rows.
 */
export function makeApiHealth(context: ApiContext, isEnding: () => boolean): Health {
  const { db, nonces, limits, producer, metrics, logger } = context;
  return {
    isLive: () => true,
    readiness: makeReadiness({
      required: {
        database: () => checkDatabase(db),
        migrations: makeSchemaCheck(context),
        nonces: () => nonces.checkWritable().then(() => OK),
        limits: () => limits.checkWritable().then(() => OK),
      },
      reported: { queue: () => producer.depth().then(() => OK) },
      isEnding,
      logger,
    }),
    processing: () => withTimeout(PROBE_MS_MAX, checkProcessing(db)),
    measure: makeBacklogGauges(context),
    metrics,
  };
}

/** Migrations are never undone, so a complete schema is not checked again. */
function makeSchemaCheck({ config }: ApiContext): () => Promise<string> {
  let isComplete = false;
  return async () => {
    if (isComplete) return OK;
    const problems = await findSchemaProblems(config);
    isComplete = problems.length === 0;
    return isComplete ? OK : problems.join('; ');
  };
}

/** The parts that this release needs and the database lacks, in the registry's tables and, without Redis, in the queue's. */
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
    ...(await checkGrants(client)),
  ]);
}
