import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { API_BASE } from '../../../shared/contract/machine/endpoints.ts';
import { SIGNATURE_HEADERS, sign } from '../../../shared/contract/machine/signing.ts';
import type { Tenant } from './tenants.ts';

export interface Answer {
  readonly status: number;
  readonly retryAfterSeconds: number;
  readonly text: string;
}

/** Sends one certificate. */
export type Transmit = (body: Buffer, prefer: string) => Promise<Answer>;

/** Waits for the terminal status as long as a request may. */
export const WAIT = 'wait=30';

/** Throws unless the certificate was registered within the request. */
export function requireRegistered({ status, text }: Answer): void {
  if (status !== 201) throw new Error(`a certificate was answered with ${status}: ${text}`);
}

const TRANSMIT_PATH = `${API_BASE}/ppai/policies`;

/**
 * A client that signs, with no more work per request than that: the client of `client/` also retries and parses, and would take
 * CPU from the program that is measured. Its token lasts for fifteen minutes, longer than any scenario.
 */
export async function makeTransmit(url: string, tenant: Tenant): Promise<Transmit> {
  const send = makeSend(url, { 'x-forwarded-for': tenant.address });
  const token = await requestToken(send, tenant);
  return (body, prefer) => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const nonce = randomUUID();
    return send(TRANSMIT_PATH, body, {
      authorization: `Bearer ${token}`,
      [SIGNATURE_HEADERS.clientId]: tenant.clientId,
      [SIGNATURE_HEADERS.timestamp]: timestamp,
      [SIGNATURE_HEADERS.nonce]: nonce,
      [SIGNATURE_HEADERS.signature]: sign(tenant.signingSecret, {
        method: 'POST',
        target: TRANSMIT_PATH,
        timestamp,
        nonce,
        body,
      }),
      prefer,
    });
  };
}

/** Posts JSON to a path over connections that are kept alive. */
export type Send = (
  path: string,
  body: Buffer,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

export function makeSend(url: string, common: Readonly<Record<string, string>> = {}): Send {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  return (path, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = request({
        hostname,
        port,
        path,
        agent,
        method: 'POST',
        headers: {
          ...common,
          ...headers,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            retryAfterSeconds: Number(incoming.headers['retry-after'] ?? 1),
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      outgoing.end(body);
    });
}

async function requestToken(send: Send, { clientId, clientSecret }: Tenant): Promise<string> {
  const { status, text } = await send(
    `${API_BASE}/oauth/token`,
    Buffer.from(
      JSON.stringify({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    ),
  );
  if (status !== 200) throw new Error(`no token: ${status} ${text}`);
  const { data } = JSON.parse(text) as { data: { access_token: string } };
  return data.access_token;
}
