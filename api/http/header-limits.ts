import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { AppError, ERRORS } from '../../shared/contract/errors.ts';
import { errorEnvelope } from '../../shared/contract/machine/envelope.ts';
import type { Logger } from '../../shared/platform/logger.ts';
import { requestIdFrom } from './request-id.ts';

/** Lines, repeated names counted each. */
export const HEADERS_MAX = 100;
/** Of the request line and all headers together. */
export const HEADER_BYTES_MAX = 16_384;

/**
 * A request is read with all its headers or not at all. Node would drop the last ones: behind a proxy that appends
 * X-Forwarded-For, that is the one that the proxy wrote, and the caller could choose its address.
 * @throws {AppError} PAYLOAD_TOO_LARGE
 */
export const refuseManyHeaders: RequestHandler = (request, _response, next) => {
  const lines = request.rawHeaders.length / 2;
  if (lines <= HEADERS_MAX) return next();
  throw new AppError('PAYLOAD_TOO_LARGE', `${lines} header lines`, {
    message: `The request has more than ${HEADERS_MAX} header lines; none of them was read.`,
  });
};

const TOO_LONG = `The request line and the headers are over the size limit of ${HEADER_BYTES_MAX / 1_024} KB together.`;

/** For who would rather send more than read the answer. */
const LINGER_MS = 1_000;

/** Answers PAYLOAD_TOO_LARGE in the envelope where there is no request yet: its headers are over HEADER_BYTES_MAX. */
export function refuseLongHeaders(socket: Duplex, logger: Logger): void {
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
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  // Closed at once, what is still on its way would make the system drop the answer.
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
}
