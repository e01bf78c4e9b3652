import type { Request, Response } from 'express';
import { AppError } from '../../../shared/contract/errors.ts';
import { BACKGROUND_HEADER, CSRF_HEADER } from '../../../shared/contract/staff.ts';
import { singleHeader } from '../../http/request-context.ts';

/**
 * Every non-GET request needs the header X-PPAI-CSRF with value 1 and an allowed Origin (api.md, "Admin realm"): the
 * request's own, or one of ADMIN_ALLOWED_ORIGINS.
 * @throws {AppError} CSRF_FAILED
 */
export function requireOwnSite(request: Request, allowedOrigins: readonly string[]): void {
  if (singleHeader(request, CSRF_HEADER) !== '1') {
    throw new AppError('CSRF_FAILED', 'X-PPAI-CSRF is missing, repeated or not 1');
  }
  const origin = singleHeader(request, 'origin');
  if (origin === undefined) throw new AppError('CSRF_FAILED', 'Origin is missing or repeated');
  if (origin === ownOrigin(request) || allowedOrigins.includes(origin)) return;
  throw new AppError('CSRF_FAILED', 'Origin is another site');
}

/** Undefined when the request names no host, or none that a browser could have sent. */
function ownOrigin(request: Request): string | undefined {
  const address = `${request.protocol}://${request.host ?? ''}`;
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

/** Lets pages of ADMIN_ALLOWED_ORIGINS read answers, and tells caches that answers differ by Origin. */
export function setCorsHeaders(
  request: Request,
  response: Response,
  allowedOrigins: readonly string[],
): void {
  response.vary('Origin');
  const { origin } = request.headers;
  if (origin === undefined || !allowedOrigins.includes(origin)) return;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
}

/** Answers the preflight request that a browser sends for a page of ADMIN_ALLOWED_ORIGINS. False for any other request. */
export function answerPreflight(request: Request, response: Response): boolean {
  const isPreflight =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (!isPreflight || !response.hasHeader('Access-Control-Allow-Origin')) return false;
  response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader(
    'Access-Control-Allow-Headers',
    `Content-Type, X-Request-Id, ${CSRF_HEADER}, ${BACKGROUND_HEADER}`,
  );
  response.setHeader('Access-Control-Max-Age', '600');
  response.status(204).end();
  return true;
}
