import { randomInt, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { SeededClient } from '../../../ops/seed.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import type { Envelope } from '../../../shared/contract/machine/envelope.ts';
import { SIGNATURE_HEADERS, sign } from '../../../shared/contract/machine/signing.ts';
import type { TokenResponse } from '../../../shared/contract/machine/token.ts';
import type { Clock } from '../../../shared/platform/clock.ts';

export interface SignedRequest {
  readonly method?: string;
  /** Below API_BASE, with the query. */
  readonly path: string;
  /** An object is sent as JSON; text and bytes are sent unchanged. */
  readonly body?: object | string | Buffer;
  /** Override the headers; undefined omits one. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly timestamp?: number;
  readonly nonce?: string;
  /** Values that are signed instead of those that are sent. */
  readonly signed?: { readonly target?: string; readonly body?: Buffer; readonly secret?: string };
  readonly token?: string;
  /** Aborting it closes the connection, as a caller may. */
  readonly signal?: AbortSignal;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly envelope: Envelope<Record<string, unknown>>;
}

export interface RawRequest {
  readonly method?: string;
  /** The complete request target. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
}

export function newNonce(): string {
  return randomUUID();
}

/** A random address, so that tests do not share the rate limit of one address. */
export function anyAddress(): string {
  return `198.51.${randomInt(256)}.${randomInt(1, 255)}`;
}

export function signRequest(
  { clientId, signingSecret }: SeededClient,
  token: string,
  request: SignedRequest,
  clock: Clock,
): RawRequest {
  const { path, headers = {}, signed = {} } = request;
  const body = bytesOf(request.body);
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
  const target = `${API_BASE}${path}`;
  const timestamp = String(request.timestamp ?? Math.floor(clock.now().getTime() / 1_000));
  const nonce = request.nonce ?? newNonce();
  const signature = sign(signed.secret ?? signingSecret, {
    method,
    target: signed.target ?? target,
    timestamp,
    nonce,
    body: signed.body ?? body,
  });
  return {
    method,
    target,
    headers: {
      authorization: `Bearer ${token}`,
      [SIGNATURE_HEADERS.clientId]: clientId,
      [SIGNATURE_HEADERS.timestamp]: timestamp,
      [SIGNATURE_HEADERS.nonce]: nonce,
      [SIGNATURE_HEADERS.signature]: signature,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(request.body === undefined ? {} : { body }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  };
}

function bytesOf(body: SignedRequest['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body), 'utf8');
}

/** An address on the allowlist of the demonstration client alpha-allowlisted. */
const ALLOWLISTED_ADDRESS = '203.0.113.250';

export async function requestToken(
  sendRaw: (request: RawRequest) => Promise<TestAnswer>,
  { name, clientId, clientSecret }: SeededClient,
): Promise<string> {
  const { status, envelope, text } = await sendRaw({
    method: 'POST',
    target: `${API_BASE}/oauth/token`,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': name === 'alpha-allowlisted' ? ALLOWLISTED_ADDRESS : anyAddress(),
    },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  });
  if (status !== 200) throw new Error(`no token: ${text}`);
  return (envelope.data as TokenResponse | null)?.access_token ?? '';
}

/** Uses Node's client, which sends target and headers unchanged. Each request has its own connection, which it closes. */
export function send(
  url: string,
  { method = 'GET', target, headers = {}, body, signal }: RawRequest,
): Promise<TestAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const given = Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] => entry[1] !== undefined,
    );
    const request = httpRequest({
      hostname,
      port,
      method,
      path: target,
      agent: false,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        ...Object.fromEntries(given),
        ...(body === undefined || 'transfer-encoding' in headers
          ? {}
          : { 'content-length': Buffer.byteLength(body) }),
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          text,
          envelope: text.startsWith('{') ? JSON.parse(text) : undefined,
        });
      });
    });
    request.end(body);
  });
}
