import { BACKGROUND_HEADER, CSRF_HEADER, ENDPOINTS } from 'virtual:contract';
import type { Envelope } from '../../shared/contract/machine/envelope.ts';
import type { DataOf, EndpointName, QueryValue, RequestOf } from './contract.ts';
import { ApiError, Unreachable } from './errors.ts';
import { ACTIVITY, SESSION_OVER, sessionEvents } from './session-events.ts';

interface CallOptions {
  readonly signal?: AbortSignal;
  /** True for a read that the user did not ask for: it does not keep the session alive. */
  readonly isBackground?: boolean;
}

interface AnyRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: object;
}

/**
 * Sends a request to the staff API and returns `data` of the answer.
 * @throws {ApiError} when it is refused, {Unreachable} without an answer
 */
export async function call<Name extends EndpointName>(
  name: Name,
  request: RequestOf<Name>,
  { signal, isBackground = false }: CallOptions = {},
): Promise<DataOf<Name>> {
  const { method } = ENDPOINTS[name];
  const { body } = request as AnyRequest;
  const response = await send(addressOf(name, request), {
    method,
    headers: headersOf(method, isBackground, body !== undefined),
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return readAnswer(name, response, isBackground);
}

/** The path and the query of a request. */
export function addressOf<Name extends EndpointName>(name: Name, request: RequestOf<Name>): string {
  const { params = {}, query = {} } = request as AnyRequest;
  return `${fillIn(ENDPOINTS[name].path, params)}${writeQuery(query)}`;
}

/** `data` of an answer. @throws {ApiError} when it is a refusal */
export async function readAnswer<Name extends EndpointName>(
  name: Name,
  response: Response,
  isBackground: boolean,
): Promise<DataOf<Name>> {
  const envelope = await readEnvelope(response);
  if (envelope.success) {
    if (!isBackground) sessionEvents.dispatchEvent(new Event(ACTIVITY));
    return envelope.data as DataOf<Name>;
  }
  const error = errorOf(response, envelope);
  if (isSessionOver(name, error)) sessionEvents.dispatchEvent(new Event(SESSION_OVER));
  else if (!isBackground && error.status !== 401) sessionEvents.dispatchEvent(new Event(ACTIVITY));
  throw error;
}

function fillIn(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
}

function writeQuery(query: Readonly<Record<string, QueryValue>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
}

function headersOf(method: string, isBackground: boolean, hasBody: boolean): HeadersInit {
  return {
    ...(method === 'GET' ? {} : { [CSRF_HEADER]: '1' }),
    ...(method === 'GET' && isBackground ? { [BACKGROUND_HEADER]: '1' } : {}),
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
  };
}

/** @throws {Unreachable} without an answer */
export async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Unreachable(init.method !== 'GET');
  }
}

/** An answer that is no envelope comes from something in front of the registry. */
async function readEnvelope(response: Response): Promise<Envelope> {
  try {
    return (await response.json()) as Envelope;
  } catch {
    const message = `The registry cannot answer now (HTTP ${response.status}).`;
    return { success: false, data: null, error: { code: 'INTERNAL_ERROR', message } };
  }
}

function errorOf(response: Response, { error, data }: Envelope): ApiError {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError(
    response.status,
    error ?? { code: 'INTERNAL_ERROR', message: `HTTP ${response.status}` },
    data,
    Number.isFinite(retryAfter) ? retryAfter : undefined,
  );
}

/** The steps of a sign-in and the first look for a session handle these errors themselves. */
const WITHOUT_SESSION: readonly EndpointName[] = ['login', 'enrollMfa', 'verifyMfa', 'readSession'];

function isSessionOver(name: EndpointName, error: ApiError): boolean {
  if (WITHOUT_SESSION.includes(name)) return false;
  if (error.code === 'MFA_REQUIRED') return !error.hasDetail('FRESH_CODE_REQUIRED');
  return error.code === 'SESSION_EXPIRED' || error.code === 'UNAUTHENTICATED';
}
