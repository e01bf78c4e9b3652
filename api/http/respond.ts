import type { ErrorRequestHandler, Response } from 'express';
import { AppError, ERRORS } from '../../shared/contract/errors.ts';
import { errorEnvelope, successEnvelope } from '../../shared/contract/machine/envelope.ts';
import { HashingBusy } from '../../shared/platform/secrets/passwords.ts';
import { requestContextOf } from './request-context.ts';

/** JSON text that is served as it is, such as a stored acknowledgment. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** How long a caller should leave a service alone that failed. */
const RETRY_AFTER_FAULT_SECONDS = 5;
/** Some of the passwords that wait are done by then. */
const RETRY_AFTER_HASHING_SECONDS = 2;

/** A success: `data` becomes the envelope's. */
export interface Answer {
  readonly status: number;
  readonly data: object | RawJson;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The caller closed the connection before the request was complete: there is nobody to answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

export function sendAnswer(response: Response, { status, data, headers = {} }: Answer): void {
  const text =
    data instanceof RawJson
      ? `{"success":true,"data":${data.text},"error":null}`
      : JSON.stringify(successEnvelope(data));
  send(response, status, headers, text);
}

/** The only place where an error becomes HTTP: the code's status and title outside, the reason in the log (api.md, "Errors"). */
export const respondToError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const { logger, requestId } = requestContextOf(response);
  if (error instanceof CallerGone) {
    logger.debug('the caller left before the request was complete');
    response.destroy();
    return;
  }
  const known = knownError(error);
  if (known.code === 'INTERNAL_ERROR') logger.error({ err: error }, 'request failed');
  else logger.info({ code: known.code, reason: known.message }, 'request refused');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { details, data, headers = {}, message = ERRORS[known.code].title } = known.extras;
  const body = errorEnvelope(
    {
      code: known.code,
      message,
      ...(details === undefined ? {} : { details: [...details] }),
      requestId,
    },
    data ?? null,
  );
  const wait =
    known.code === 'INTERNAL_ERROR' ? { 'Retry-After': String(RETRY_AFTER_FAULT_SECONDS) } : {};
  send(response, known.status, { ...wait, ...headers }, JSON.stringify(body));
};

function knownError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HashingBusy) {
    return new AppError('RATE_LIMITED', error.message, {
      headers: { 'Retry-After': String(RETRY_AFTER_HASHING_SECONDS) },
    });
  }
  return new AppError('INTERNAL_ERROR', 'unexpected', { cause: error });
}

function send(
  response: Response,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  const body = Buffer.from(text, 'utf8');
  response.status(status);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', body.length);
  // Answers hold tokens and records of one caller.
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}
