import type { ErrorRequestHandler, Response } from 'express';
import { AppError, ERRORS } from '../../shared/contract/errors.ts';
import { errorEnvelope } from '../../shared/contract/machine/envelope.ts';
import { HashingBusy } from '../../shared/platform/secrets/passwords.ts';
import { endWithBody } from './compress.ts';
import { hasCallerSame } from './entity-tag.ts';
import { requestContextOf } from './request-context.ts';

/** JSON text that is sent unchanged, such as a stored acknowledgment. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Retry-After for an internal error. */
const RETRY_AFTER_FAULT_SECONDS = 5;
/** Retry-After while too many passwords wait to be hashed; by then some of them are done. */
const RETRY_AFTER_HASHING_SECONDS = 2;

/** A successful answer. `data` is put into the envelope. */
export interface Answer {
  readonly status: number;
  readonly data: object | RawJson;
  readonly headers?: Readonly<Record<string, string>>;
  /** True: the answer has an ETag, and 304 answers a request whose If-None-Match has it (D39). */
  readonly hasETag?: boolean;
}

/** The caller closed the connection before the request was complete, so no answer is possible. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

export async function sendAnswer(
  response: Response,
  { status, data, headers = {}, hasETag = false }: Answer,
): Promise<void> {
  const text = data instanceof RawJson ? data.text : JSON.stringify(data);
  if (hasETag && hasCallerSame(response, text)) {
    setHeaders(response, headers);
    response.status(304).end();
    return;
  }
  await send(response, status, headers, `{"success":true,"data":${text},"error":null}`);
}

/** The only place where an error becomes an HTTP response: the caller gets the code's status and title, the log gets the reason (api.md, "Errors"). */
export const respondToError: ErrorRequestHandler = async (
  error: unknown,
  _request,
  response,
  _next,
) => {
  const { logger, requestId } = requestContextOf(response);
  if (error instanceof CallerGone) {
    logger.debug('the caller closed the connection before the request was complete');
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
  await send(response, known.status, { ...wait, ...headers }, JSON.stringify(body));
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

async function send(
  response: Response,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): Promise<void> {
  response.status(status);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  setHeaders(response, headers);
  await endWithBody(response, Buffer.from(text, 'utf8'));
}

function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  // Answers contain tokens and records of one caller.
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
