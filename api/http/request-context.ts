import type { Request, Response } from 'express';
import type { Logger } from '../../shared/platform/logger.ts';

/** What one HTTP exchange carries from the first middleware to the access log. */
export interface RequestContext {
  readonly requestId: string;
  readonly logger: Logger;
  /** Aborted when the caller is gone before the answer was complete. */
  readonly signal: AbortSignal;
  /** The caller's (D19). Undefined when it can't be told; `requireAddress` answers that. */
  readonly address: string | undefined;
  clientId: string | undefined;
  /** What the caller says it is, which nothing has proved. */
  claimedClientId?: string | undefined;
  staffId?: string | undefined;
}

const exchanges = new WeakMap<Response, RequestContext>();

export function beginExchange(response: Response, requestContext: RequestContext): void {
  exchanges.set(response, requestContext);
}

/** Throws when the middleware that begins an exchange was left out. */
export function requestContextOf(response: Response): RequestContext {
  const requestContext = exchanges.get(response);
  if (requestContext === undefined) throw new Error('no exchange was begun for this response');
  return requestContext;
}

/** The value of a header that came exactly once. Undefined when it is missing or repeated. */
export function singleHeader(request: Request, name: string): string | undefined {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** Says what is wrong with a header that must come once, by the name that people read; `rule` says what it must be. */
export function flawOfHeader(request: Request, name: string, rule: string): string {
  const values = request.headersDistinct[name.toLowerCase()] ?? [];
  if (values.length > 1)
    return `The header ${name} was sent ${values.length} times; send it once, as ${rule}.`;
  return values.join('') === ''
    ? `The header ${name} is missing; it must be ${rule}.`
    : `The header ${name} must be ${rule}.`;
}
