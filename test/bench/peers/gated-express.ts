import express, { type ErrorRequestHandler, type Express } from 'express';
import { authenticateSubmitter } from '../../../api/auth/machine/authenticate-submitter.ts';
import { makePostgresNonceStore, makeRedisNonceStore } from '../../../api/auth/machine/nonce.ts';
import { makePostgresLimits, makeRedisLimits } from '../../../api/auth/rate-limit.ts';
import type { ApiContext } from '../../../api/context.ts';
import { beginExchange } from '../../../api/http/request-context.ts';
import { makeRoundTrips } from '../../../api/machine/submission/loaders.ts';
import { PLACES_OF_AN_ORGANIZATION } from '../../../api/server.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import { openDb } from '../../../shared/db/prisma.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import type { ServiceConfig } from '../../../shared/platform/config/config.ts';
import { makeLogger } from '../../../shared/platform/logger.ts';
import { connectRedis } from '../../../shared/platform/redis/redis.ts';
import { makeKeyring } from '../../../shared/platform/secrets/sealing.ts';
import { makeTurns } from '../../../shared/platform/turns.ts';
import { openQueueAccess } from '../../../shared/queue/open.ts';

const ANSWER = { success: true, data: { status: 'ACCEPTED', text: 'x'.repeat(800) }, error: null };

/** A bare Express that admits a caller as the registry does and answers the same to all: no log, no metrics, no look at a row. */
export async function makeGatedApp(config: ServiceConfig): Promise<Express> {
  const logger = makeLogger({ level: 'silent', name: 'gate' });
  const db = openDb({
    databaseUrl: config.databaseUrl,
    poolMax: config.databasePoolMax,
    applicationName: 'bench-gate',
  });
  const { redisUrl, redisPrefix: keyPrefix } = config;
  const redis =
    redisUrl === undefined
      ? undefined
      : await connectRedis(redisUrl, { role: 'fail-fast', logger, name: 'bench-gate' });
  const keyring = makeKeyring(config.encryptionKeys);
  const producer = await openQueueAccess(config, logger, 'bench-gate').producer();
  // Of the context, the gate asks for these members only.
  const context = {
    config,
    clock: systemClock,
    logger,
    db,
    keyring,
    roundTrips: makeRoundTrips({ db, clock: systemClock, keyring, producer }),
    nonces:
      redis === undefined
        ? await makePostgresNonceStore({ db, clock: systemClock })
        : await makeRedisNonceStore({ db, clock: systemClock, redis, keyPrefix }),
    limits:
      redis === undefined ? makePostgresLimits({ db }) : makeRedisLimits({ redis, keyPrefix }),
    turns: makeTurns(PLACES_OF_AN_ORGANIZATION),
  } as unknown as ApiContext;

  const app = express();
  app.get('/api/v1/gated', async (request, response) => {
    beginExchange(response, {
      requestId: 'bench',
      logger,
      signal: new AbortController().signal,
      address: '127.0.0.1',
      clientId: undefined,
      staffId: undefined,
    });
    await authenticateSubmitter(context, request, response, 'ppai:read');
    response.json(ANSWER);
  });
  app.use(answerError);
  return app;
}

const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
  response.status(500).json({ success: false, data: null, error: { code } });
};
