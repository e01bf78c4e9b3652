import type { Request, RequestHandler } from 'express';
import { ENVIRONMENT_HEADER } from '../../shared/contract/machine/sandbox/clock.ts';
import { requestAnswered } from '../../shared/platform/events.ts';
import { makeFindCallerAddress } from '../auth/caller-address.ts';
import type { ApiContext } from '../context.ts';
import { beginRequest, type RequestContext } from './request-context.ts';
import { REQUEST_ID_HEADER, requestIdFrom } from './request-id.ts';

/**
 * The first middleware. It sets the request id (D24) and the environment (D40), the request's logger and the caller's address (D19), and at the end writes one access
 * line and one metric. The line contains the route's pattern, never the path, query, headers or body (D22).
 */
export function makeBeginRequest({
  logger,
  metrics,
  config,
}: Pick<ApiContext, 'logger' | 'metrics' | 'config'>): RequestHandler {
  const findCallerAddress = makeFindCallerAddress(config.trustedProxies);
  return (request, response, next) => {
    const startedAt = performance.now();
    const gone = new AbortController();
    const requestId = requestIdFrom(request.headers[REQUEST_ID_HEADER]);
    const requestContext: RequestContext = {
      requestId,
      logger: logger.child({ requestId }),
      signal: gone.signal,
      address: findCallerAddress(request),
      clientId: undefined,
    };
    beginRequest(response, requestContext);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader(ENVIRONMENT_HEADER, config.registryEnvironment);
    response.on('close', () => {
      const answered = response.writableFinished;
      if (!answered) gone.abort();
      const { clientId, staffId } = requestContext;
      const route = routeOf(request);
      const method = METHODS_MEASURED.has(request.method) ? request.method : 'other';
      const tookMs = Math.round(performance.now() - startedAt);
      requestAnswered({ logger, metrics }, { route, method, status: response.statusCode, tookMs });
      requestContext.logger.info(
        { method, route, status: response.statusCode, tookMs, clientId, staffId, answered },
        'request answered',
      );
    });
    next();
  };
}

const METHODS_MEASURED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The pattern that matched, such as `/ppai/policies/:registryReference`. */
function routeOf(request: Request): string {
  const path: unknown = request.route?.path;
  return typeof path === 'string' ? path : 'unmatched';
}
