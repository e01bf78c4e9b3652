import type { Request, Response } from 'express';
import type { Logger } from '../../shared/platform/logger.ts';

/** The data of one HTTP request, from the first middleware to the access log. */
export interface RequestContext {
  readonly requestId: string;
  readonly logger: Logger;
  /** Aborted when the caller disconnects before the response is complete. */
  readonly signal: AbortSignal;
  /** The address of the caller (D19). Undefined when it is unknown; `requireAddress` refuses such requests. */
  readonly address: string | undefined;
  clientId: string | undefined;
  /** The client id that the caller claims. It is not verified. */
  claimedClientId?: string | undefined;
  staffId?: string | undefined;
}

/** Keeps the context in Express' `response.locals`, where every later handler finds it. */
export function beginRequest(response: Response, requestContext: RequestContext): void {
  response.locals['requestContext'] = requestContext;
}

/** Throws if the middleware of `begin-request.ts` did not run. */
export function requestContextOf(response: Response): RequestContext {
  const requestContext: unknown = response.locals['requestContext'];
  if (requestContext === undefined) throw new Error('the request has no context');
  return requestContext as RequestContext;
}

/** The value of a header that came exactly once. Undefined when it is missing or repeated. */
export function singleHeader(request: Request, name: string): string | undefined {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}

/** The message for a header that must be sent exactly once. `name` is in its usual spelling; `rule` describes a valid value. */
export function headerProblem(request: Request, name: string, rule: string): string {
  const values = request.headersDistinct[name.toLowerCase()] ?? [];
  if (values.length > 1)
    return `The header ${name} was sent ${values.length} times; send it once, as ${rule}.`;
  return values.join('') === ''
    ? `The header ${name} is missing; it must be ${rule}.`
    : `The header ${name} must be ${rule}.`;
}
