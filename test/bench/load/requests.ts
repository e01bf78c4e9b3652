import { randomUUID } from 'node:crypto';
import type { SeededClient } from '../../../ops/seed.ts';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { SIGNATURE_HEADERS, sign } from '../../../shared/contract/machine/signing.ts';
import { openHttpConnection } from './http-connection.ts';

/** A machine client that signs ahead of the measured time. */
export interface Signer {
  /** The bytes of a signed request, each good for one sending within five minutes. */
  sign(request: SignableRequest): Buffer;
}

export interface SignableRequest {
  readonly method: 'GET' | 'POST';
  /** Below API_BASE. */
  readonly path: string;
  readonly body?: Buffer;
  readonly prefer?: string;
}

/** Tokens are good for fifteen minutes and asked for sparingly: the endpoint answers twenty a minute. */
const TOKEN_MS_MAX = 8 * 60_000;
const tokens = new Map<string, { readonly token: string; readonly askedAt: number }>();

/** Sign again with a new one when minutes have passed. */
export async function makeSigner(url: string, client: SeededClient): Promise<Signer> {
  const token = await tokenOf(url, client);
  return {
    sign: ({ method, path, body = Buffer.alloc(0), prefer }) => {
      const target = `${API_BASE}${path}`;
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const nonce = randomUUID();
      const signature = sign(client.signingSecret, { method, target, timestamp, nonce, body });
      return plainRequest({
        method,
        target,
        body,
        headers: {
          authorization: `Bearer ${token}`,
          [SIGNATURE_HEADERS.clientId]: client.clientId,
          [SIGNATURE_HEADERS.timestamp]: timestamp,
          [SIGNATURE_HEADERS.nonce]: nonce,
          [SIGNATURE_HEADERS.signature]: signature,
          ...(prefer === undefined ? {} : { prefer }),
        },
      });
    },
  };
}

export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The bytes of a request; a body is JSON. */
export function plainRequest({
  method,
  target,
  body = Buffer.alloc(0),
  headers = {},
}: PlainRequest): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body.length === 0
      ? []
      : ['content-type: application/json', `content-length: ${body.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

async function tokenOf(url: string, client: SeededClient): Promise<string> {
  const name = `${url} ${client.clientId}`;
  const known = tokens.get(name);
  if (known !== undefined && performance.now() - known.askedAt < TOKEN_MS_MAX) return known.token;
  const token = await askToken(url, client);
  tokens.set(name, { token, askedAt: performance.now() });
  return token;
}

async function askToken(url: string, { clientId, clientSecret }: SeededClient): Promise<string> {
  const connection = await openHttpConnection(url);
  try {
    const body = Buffer.from(
      JSON.stringify({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    );
    const answer = await connection.send(
      plainRequest({ method: 'POST', target: `${API_BASE}/oauth/token`, body }),
    );
    if (answer.status !== 200)
      throw new Error(`no token: ${answer.status} ${answer.body.toString()}`);
    const envelope = JSON.parse(answer.body.toString()) as { data: { access_token: string } };
    return envelope.data.access_token;
  } finally {
    connection.close();
  }
}
