import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { SCOPES } from '../../../shared/contract/enums.ts';
import { ERRORS, type ErrorCode } from '../../../shared/contract/errors.ts';
import type { Acknowledgment } from '../../../shared/contract/machine/acknowledgment.ts';
import { errorEnvelope, successEnvelope } from '../../../shared/contract/machine/envelope.ts';
import { isSignatureOf } from '../../../shared/contract/machine/signing.ts';
import { DATA_EXAMPLES } from '../../../shared/contract/openapi/examples.ts';

export const CREDENTIALS = {
  clientId: 'client-1',
  clientSecret: 'client-secret',
  signingSecret: 'signing-secret',
} as const;

export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly isSigned: boolean;
}

export interface Reply {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection instead of answering. */
  readonly isCut?: boolean;
  /** Closes the connection after half of the body. */
  readonly isCutShort?: boolean;
  /** Sends half of the body and then nothing. */
  readonly isStalled?: boolean;
}

export interface FakeRegistry {
  readonly url: string;
  /** Every request except token requests, in order of arrival. */
  readonly received: readonly ReceivedRequest[];
  readonly tokensIssued: () => number;
  close(): Promise<void>;
}

export interface FakeOptions {
  readonly answer: (received: ReceivedRequest, index: number) => Reply;
  readonly tokenReply?: (index: number) => Reply;
}

/** A server that gives scripted answers over real HTTP. It does not check signatures. */
export async function startFakeRegistry({
  answer,
  tokenReply = issueToken,
}: FakeOptions): Promise<FakeRegistry> {
  const received: ReceivedRequest[] = [];
  let tokens = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request;
      const body = Buffer.concat(chunks);
      if (target === '/api/v1/oauth/token') {
        write(response, tokenReply(tokens++));
        return;
      }
      const isSigned = isSignatureOf(
        String(headers['x-ppai-signature']),
        CREDENTIALS.signingSecret,
        {
          method,
          target,
          timestamp: String(headers['x-ppai-timestamp']),
          nonce: String(headers['x-ppai-nonce']),
          body,
        },
      );
      const entry = { method, target, headers, body, isSigned };
      write(response, answer(entry, received.push(entry) - 1));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    tokensIssued: () => tokens,
    close: () => closeServer(server),
  };
}

export function issueToken(index: number, { seconds = 900, scope = SCOPES.join(' ') } = {}): Reply {
  const token = {
    access_token: `token-${index}`,
    token_type: 'Bearer',
    expires_in: seconds,
    scope,
  };
  return { status: 200, body: successEnvelope(token) };
}

export function refuse(
  code: ErrorCode,
  extras: { data?: object; headers?: Record<string, string> } = {},
): Reply {
  const { http, title } = ERRORS[code];
  const body = errorEnvelope({ code, message: title }, extras.data ?? null);
  return { status: http, body, ...(extras.headers && { headers: extras.headers }) };
}

export function acknowledge(status: number, changes: Partial<Acknowledgment> = {}): Reply {
  return { status, body: successEnvelope(acknowledgment(changes)) };
}

export function acknowledgment(changes: Partial<Acknowledgment> = {}): Acknowledgment {
  return { ...(DATA_EXAMPLES.transmit?.[201]?.['accepted'] as Acknowledgment), ...changes };
}

function write(
  response: ServerResponse,
  { status, body, headers, isCut, isCutShort, isStalled }: Reply,
): void {
  if (isCut) {
    response.socket?.destroy();
    return;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const isCompressed = headers?.['content-encoding'] === 'gzip';
  const bytes = isCompressed ? gzipSync(text) : Buffer.from(text);
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(headers?.['transfer-encoding'] === undefined && { 'content-length': bytes.length }),
    ...headers,
  });
  const half = bytes.subarray(0, bytes.length / 2);
  if (isCutShort) response.write(half, () => response.socket?.destroy());
  else if (isStalled) response.write(half);
  else response.end(bytes);
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
