import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { AppError, ERRORS } from '../../shared/contract/errors.ts';
import { errorEnvelope } from '../../shared/contract/machine/envelope.ts';
import { ENVIRONMENT_HEADER } from '../../shared/contract/machine/sandbox/clock.ts';
import type { Logger } from '../../shared/platform/logger.ts';
import { requestIdFrom } from './request-id.ts';

/** Maximum number of header lines; repeated names count separately. */
export const HEADERS_MAX = 100;
/** Maximum size of the request line and all headers together. */
export const HEADER_BYTES_MAX = 16_384;

/**
 * Refuses a request with too many headers. Node would drop the last ones. Behind a proxy that appends X-Forwarded-For, that
 * would be the header of the proxy, and the caller could forge its address.
 * @throws {AppError} PAYLOAD_TOO_LARGE
 */
export const refuseManyHeaders: RequestHandler = (request, _response, next) => {
  const lines = request.rawHeaders.length / 2;
  if (lines <= HEADERS_MAX) return next();
  throw new AppError('PAYLOAD_TOO_LARGE', `${lines} header lines`, {
    message: `The request has more than ${HEADERS_MAX} header lines; it was not processed.`,
  });
};

const TOO_LONG = `The request line and the headers are over the size limit of ${HEADER_BYTES_MAX / 1_024} KB together.`;

/** A client that keeps sending instead of reading the answer is disconnected after this time. */
const LINGER_MS = 1_000;

/** Answers PAYLOAD_TOO_LARGE in the envelope when the headers exceed HEADER_BYTES_MAX, for which Node makes no request. */
export function refuseLongHeaders(socket: Duplex, logger: Logger, environment: string): void {
  const requestId = requestIdFrom(undefined);
  logger.info(
    { requestId, code: 'PAYLOAD_TOO_LARGE', reason: `headers over ${HEADER_BYTES_MAX} bytes` },
    'request refused',
  );
  const body = JSON.stringify(
    errorEnvelope({ code: 'PAYLOAD_TOO_LARGE', message: TOO_LONG, requestId }, null),
  );
  const lines = [
    `HTTP/1.1 ${ERRORS.PAYLOAD_TOO_LARGE.http} Payload Too Large`,
    `X-Request-Id: ${requestId}`,
    `${ENVIRONMENT_HEADER}: ${environment}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // If the socket were closed at once, data still in transit would make the system discard the answer.
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
}
