import { Agent, request as httpRequest } from 'node:http';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import type { Envelope } from '../../../shared/contract/machine/envelope.ts';
import { SIGNATURE_HEADERS, sign } from '../../../shared/contract/machine/signing.ts';
import type { Db } from '../../../shared/db/prisma.ts';
import { newNonce } from '../../env/api/signed-request.ts';

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** The registry under attack, in this or other processes. It must trust X-Forwarded-For from this machine. */
export interface AbuseTarget {
  readonly baseUrl: string;
  readonly db: Db;
  /** A demonstration client by name. */
  client(name: string): Credentials;
  /** A token of that client, requested once. */
  tokenOf(name: string): Promise<string>;
}

export type Headers = Readonly<Record<string, string | readonly string[]>>;

export interface Call {
  readonly method: string;
  /** The complete target with the query. */
  readonly path: string;
  readonly headers: Headers;
  /** Undefined for a request without a body. */
  readonly body?: Buffer | undefined;
}

/** `status` is 0 when the connection was closed without an answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  /** Undefined when the answer is not JSON. */
  readonly envelope: Envelope<Record<string, unknown>> | undefined;
}

export interface Sender {
  send(call: Call, baseUrl?: string): Promise<Reply>;
  close(): void;
}

const SOCKETS_MAX = 24;

/** Keeps connections open between calls. Sends calls unchanged and never retries. */
export function makeSender(target: Pick<AbuseTarget, 'baseUrl'>): Sender {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX });
  return {
    send: (call, baseUrl = target.baseUrl) => exchange(agent, baseUrl, call),
    close: () => agent.destroy(),
  };
}

const NO_REPLY: Reply = { status: 0, headers: {}, text: '', envelope: undefined };

function exchange(agent: Agent, baseUrl: string, call: Call): Promise<Reply> {
  const { hostname, port } = new URL(baseUrl);
  const { method, path, headers, body } = call;
  return new Promise((resolve) => {
    const request = httpRequest({
      agent,
      hostname,
      port,
      method,
      path,
      headers: {
        ...(body === undefined || hasLength(headers) ? {} : { 'content-length': body.length }),
        ...headers,
      },
    });
    request.on('error', () => resolve(NO_REPLY));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(NO_REPLY));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Reply['headers'],
          text,
          envelope: readEnvelope(text),
        });
      });
    });
    request.end(body);
  });
}

function hasLength(headers: Headers): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers;
}

function readEnvelope(text: string): Reply['envelope'] {
  try {
    return text.startsWith('{') ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

export interface Unsigned {
  readonly method: string;
  /** Below API_BASE, with the query. */
  readonly path: string;
  readonly body?: Buffer;
  readonly headers?: Headers;
  /** The bytes that the registry reads, if they differ from the body. */
  readonly read?: Buffer;
  /** Seconds by which the timestamp is ahead of the clock. */
  readonly aheadSeconds?: number;
}

/** Signs a call as the given client. */
export async function signCall(
  target: AbuseTarget,
  clientName: string,
  { method, path, body, headers = {}, read, aheadSeconds = 0 }: Unsigned,
): Promise<Call> {
  const { clientId, signingSecret } = target.client(clientName);
  const timestamp = String(Math.floor(Date.now() / 1_000) + aheadSeconds);
  const nonce = newNonce();
  const whole = `${API_BASE}${path}`;
  const signature = sign(signingSecret, {
    method,
    target: whole,
    timestamp,
    nonce,
    body: read ?? body ?? Buffer.alloc(0),
  });
  return {
    method,
    path: whole,
    headers: {
      authorization: `Bearer ${await target.tokenOf(clientName)}`,
      [SIGNATURE_HEADERS.clientId]: clientId,
      [SIGNATURE_HEADERS.timestamp]: timestamp,
      [SIGNATURE_HEADERS.nonce]: nonce,
      [SIGNATURE_HEADERS.signature]: signature,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
  };
}

/** Runs `work` `count` times, at most `width` at the same time. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, run));
}
