import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import ky, { HTTPError } from 'ky';
import { SIGNATURE_HEADERS, sign } from '../shared/contract/machine/signing.ts';
import { type Outcome, readOutcome, TransportError } from './outcome.ts';

export const RETRIES_DEFAULT = 5;
const RETRY_AFTER_MAX_MS = 60_000;
const BACKOFF_MAX_MS = 10_000;
const NONCE_BYTES = 24;
/** 500 is not among them: the registry answered, and would most likely answer the same. */
const RETRIED_STATUSES = [429, 502, 503, 504];
const RETRY_AFTER_STATUSES = [429, 503];

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Sent and signed as these very bytes. */
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of one attempt. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What signs a request; asked anew for every attempt, so that a renewed token is used at once. */
export interface Signer {
  readonly clientId: string;
  readonly signingSecret: string;
  readToken(): Promise<string>;
}

export interface Transport {
  /**
   * Sends until an answer is worth returning: 429, 502, 503, 504 and a lost connection are tried again, as often as
   * `retries` says and no sooner than Retry-After. Every attempt has a signature, timestamp and nonce of its own.
   * Throws {@link TransportError} when there is no answer in the envelope.
   */
  send<Data, Refusal>(outgoing: Outgoing, signer?: Signer): Promise<Outcome<Data, Refusal>>;
}

export interface TransportOptions {
  readonly retries?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Thrown inside a signer to end the attempts with an answer of the token endpoint. */
export class TokenRefused extends Error {
  readonly outcome: Outcome<never, never>;
  constructor(outcome: Outcome<never, never>) {
    super('No token was given.');
    this.outcome = outcome;
  }
}

export function makeTransport({ retries = RETRIES_DEFAULT, fetch }: TransportOptions): Transport {
  // One for all requests of the client: when one is told to wait, none else is sent meanwhile.
  let pausedUntilMs = 0;
  let clockOffsetMs = 0;

  const http = ky.create({
    ...(fetch && { fetch }),
    retry: {
      limit: retries,
      methods: ['get', 'post'],
      statusCodes: RETRIED_STATUSES,
      afterStatusCodes: RETRY_AFTER_STATUSES,
      maxRetryAfter: RETRY_AFTER_MAX_MS,
      backoffLimit: BACKOFF_MAX_MS,
      jitter: true,
      retryOnTimeout: true,
      shouldRetry: ({ error }) => (isFinal(error) ? false : undefined),
    },
    hooks: {
      beforeRetry: [
        async ({ error }) => {
          // A connection is free again only when its answer has been read.
          if (error instanceof HTTPError) await error.response.arrayBuffer();
        },
      ],
      afterResponse: [
        (_request, _options, response) => {
          if (response.status !== 429) return;
          const seconds = Number(response.headers.get('retry-after') ?? 0);
          if (!Number.isFinite(seconds)) return;
          const untilMs = Date.now() + Math.min(seconds * 1_000, RETRY_AFTER_MAX_MS);
          pausedUntilMs = Math.max(pausedUntilMs, untilMs);
        },
      ],
    },
  });

  async function prepare(request: Request, outgoing: Outgoing, signer?: Signer): Promise<void> {
    const pauseMs = pausedUntilMs - Date.now();
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: outgoing.signal });
    if (signer === undefined) return;
    const token = await signer.readToken();
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const timestamp = String(Math.floor((Date.now() + clockOffsetMs) / 1_000));
    const signature = sign(signer.signingSecret, {
      method: outgoing.method,
      target: outgoing.url.pathname + outgoing.url.search,
      timestamp,
      nonce,
      body: outgoing.body ?? new Uint8Array(),
    });
    request.headers.set('authorization', `Bearer ${token}`);
    request.headers.set(SIGNATURE_HEADERS.clientId, signer.clientId);
    request.headers.set(SIGNATURE_HEADERS.timestamp, timestamp);
    request.headers.set(SIGNATURE_HEADERS.nonce, nonce);
    request.headers.set(SIGNATURE_HEADERS.signature, signature);
  }

  async function exchange(outgoing: Outgoing, signer?: Signer): Promise<Response> {
    const { method, url, body, headers, timeoutMs, signal } = outgoing;
    try {
      return await http(url, {
        method,
        timeout: timeoutMs,
        ...(body && { body }),
        ...(headers && { headers }),
        ...(signal && { signal }),
        hooks: { beforeRequest: [(request) => prepare(request, outgoing, signer)] },
      });
    } catch (error) {
      if (error instanceof HTTPError) return error.response;
      if (isFinal(error) || signal?.aborted) throw error;
      throw new TransportError(
        `${method} ${url.pathname} got no answer from ${url.origin} in ${retries + 1} attempts: ${reasonOf(error)}.`,
        { cause: error },
      );
    }
  }

  async function attempt<Data, Refusal>(outgoing: Outgoing, signer?: Signer) {
    const response = await exchange(outgoing, signer);
    const outcome = await readOutcome<Data, Refusal>(
      response,
      `${outgoing.method} ${outgoing.url.pathname}`,
    );
    const serverMs = Date.parse(response.headers.get('date') ?? '');
    return { outcome, serverMs };
  }

  return {
    async send<Data, Refusal>(outgoing: Outgoing, signer?: Signer) {
      try {
        const { outcome, serverMs } = await attempt<Data, Refusal>(outgoing, signer);
        if (outcome.error?.code !== 'TIMESTAMP_OUT_OF_RANGE' || Number.isNaN(serverMs))
          return outcome;
        clockOffsetMs = serverMs - Date.now();
        return (await attempt<Data, Refusal>(outgoing, signer)).outcome;
      } catch (error) {
        if (error instanceof TokenRefused) return error.outcome;
        throw error;
      }
    },
  };
}

/** What a signer threw: the request for a token had attempts of its own. */
function isFinal(error: unknown): boolean {
  return error instanceof TokenRefused || error instanceof TransportError;
}

/** fetch hides what happened in the cause, and there may be one for each address that was tried. */
function reasonOf(error: unknown): string {
  if (!isObject(error)) return String(error);
  const { cause, errors } = error;
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  return isObject(cause) ? reasonOf(cause) : String(error['message']);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
