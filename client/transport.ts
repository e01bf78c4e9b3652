import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pRetry, { type RetryContext } from 'p-retry';
import { errors, request } from 'undici';
import { SIGNATURE_HEADERS, sign } from '../shared/contract/machine/signing.ts';
import {
  type Answer,
  headerOf,
  type Outcome,
  readOutcome,
  readWholeSeconds,
  TransportError,
} from './outcome.ts';
import { reasonOf } from './reason-of.ts';

export const RETRIES_DEFAULT = 5;
const RETRY_AFTER_MAX_MS = 60_000;
/** The first pause before a retry. Each is twice as long as the one before, up to the longest, and at random up to twice that. */
const BACKOFF_MIN_MS = 250;
const BACKOFF_MAX_MS = 5_000;
const NONCE_BYTES = 24;
/** And 500 with Retry-After, with which the registry says that it expects to be back. */
const RETRIED_STATUSES = [429, 502, 503, 504];
const RATE_LIMITED = 429;

export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** The exact bytes that are signed and sent. */
  readonly body?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit for the headers of an answer, and again for each part of its body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Credentials for signing. Each attempt reads the token again, so that a renewed token is used at once. */
export interface Signer {
  readonly clientId: string;
  readonly signingSecret: string;
  readToken(): Promise<string>;
}

export interface Transport {
  /**
   * Sends a request and retries after 429, 502, 503, 504, 500 with Retry-After, and a lost connection, at most `retries` times
   * and not before Retry-After. Every attempt has its own signature, timestamp and nonce. After TIMESTAMP_OUT_OF_RANGE it sends
   * once more with the registry's time, and after NONCE_REUSED with another nonce, because a proxy may have sent it twice.
   * Throws {@link TransportError} when no attempt received an answer in the envelope.
   */
  send<Data, Refusal>(outgoing: Outgoing, signer?: Signer): Promise<Outcome<Data, Refusal>>;
}

/** One attempt to send a request. */
export interface Attempt {
  /** Method and path. */
  readonly request: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Whole seconds of Retry-After; null when the answer has none. */
  readonly retryAfterSeconds: number | null;
  /** Requests left in the window of the quota (D20); null when the answer does not say it. */
  readonly remaining: number | null;
  /** Why there was no answer. */
  readonly reason?: string;
}

export interface TransportOptions {
  /** Ends requests that have no signal of their own, and their retries. */
  readonly signal?: AbortSignal | undefined;
  readonly retries?: number | undefined;
  /**
   * How long to retry instead of `retries` times, so that a batch outlasts a restart of the registry: after a refused or lost
   * connection, 502 to 504, and 500 with Retry-After. Then throws {@link GaveUp}.
   */
  readonly giveUpAfterSeconds?: number | undefined;
  /** Called after each attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** The registry could not be reached, or had a fault, for as long as the caller was ready to wait. */
export class GaveUp extends TransportError {}

/** Thrown inside a signer to stop the attempts; `outcome` is the answer of the token endpoint. */
export class TokenRefused extends Error {
  readonly outcome: Outcome<never, never>;
  constructor(outcome: Outcome<never, never>) {
    super('The registry issued no token.');
    this.outcome = outcome;
  }
}

/** An answer after which the request is sent again. */
class Unavailable extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super(`the registry answered ${answer.status}`);
    this.answer = answer;
  }
}

export function makeTransport({
  signal: defaultSignal,
  retries = RETRIES_DEFAULT,
  giveUpAfterSeconds,
  onAttempt,
}: TransportOptions): Transport {
  // Shared by all requests of the client: after a 429, no request is sent until its Retry-After has passed.
  let pausedUntilMs = 0;
  let clockOffsetMs = 0;

  /** Retries here and not in undici, because each attempt needs its own signature. */
  async function exchange(outgoing: Outgoing, signer?: Signer): Promise<Answer> {
    const { signal } = outgoing;
    const startedAtMs = Date.now();
    const mayRetry = ({ error, attemptNumber }: RetryContext): boolean => {
      if (isFinal(error)) return false;
      return giveUpAfterSeconds === undefined
        ? attemptNumber <= retries
        : Date.now() - startedAtMs < giveUpAfterSeconds * 1_000;
    };
    let notBeforeMs = 0;
    try {
      return await pRetry(
        async () => {
          await pauseUntil(Math.max(pausedUntilMs, notBeforeMs), signal);
          const answer = await attempt(outgoing, signer);
          notBeforeMs = Date.now() + retryAfterMsOf(answer);
          if (answer.status === RATE_LIMITED) pausedUntilMs = Math.max(pausedUntilMs, notBeforeMs);
          if (isRetried(answer)) throw new Unavailable(answer);
          return answer;
        },
        {
          retries: Number.POSITIVE_INFINITY,
          shouldRetry: mayRetry,
          // After an answer with Retry-After, the next attempt waits for that instead.
          shouldConsumeRetry: () => notBeforeMs <= Date.now(),
          minTimeout: BACKOFF_MIN_MS,
          maxTimeout: BACKOFF_MAX_MS,
          randomize: true,
          ...(signal && { signal }),
        },
      );
    } catch (error) {
      if (isFinal(error) || signal?.aborted) throw error;
      const isAnswered = error instanceof Unavailable;
      if (isAnswered && (giveUpAfterSeconds === undefined || error.answer.status === RATE_LIMITED))
        return error.answer;
      throw noAnswer(outgoing, error);
    }
  }

  async function attempt(outgoing: Outgoing, signer?: Signer): Promise<Answer> {
    const { method, url, body, headers, timeoutMs, signal } = outgoing;
    const signature = signer === undefined ? {} : await signatureOf(outgoing, signer);
    const attemptedAtMs = Date.now();
    try {
      const {
        statusCode,
        headers: received,
        body: content,
      } = await request(url, {
        method,
        headers: { 'accept-encoding': 'gzip', ...headers, ...signature },
        body: body ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        ...(signal && { signal }),
      });
      const bytes = Buffer.from(await content.arrayBuffer());
      const isCompressed = headerOf({ headers: received }, 'content-encoding') === 'gzip';
      const text = (isCompressed ? await unzip(bytes) : bytes).toString('utf8');
      const answer = { status: statusCode, headers: received, text };
      reportAnswer(outgoing, answer, attemptedAtMs);
      return answer;
    } catch (error) {
      if (!signal?.aborted) reportNoAnswer(outgoing, error, attemptedAtMs);
      throw error;
    }
  }

  async function signatureOf(
    { method, url, body }: Outgoing,
    { clientId, signingSecret, readToken }: Signer,
  ): Promise<Record<string, string>> {
    const token = await readToken();
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const timestamp = String(Math.floor((Date.now() + clockOffsetMs) / 1_000));
    const target = url.pathname + url.search;
    const signed = { method, target, timestamp, nonce, body: body ?? new Uint8Array() };
    return {
      authorization: `Bearer ${token}`,
      [SIGNATURE_HEADERS.clientId]: clientId,
      [SIGNATURE_HEADERS.timestamp]: timestamp,
      [SIGNATURE_HEADERS.nonce]: nonce,
      [SIGNATURE_HEADERS.signature]: sign(signingSecret, signed),
    };
  }

  function reportAnswer(outgoing: Outgoing, answer: Answer, attemptedAtMs: number): void {
    const [, remaining] = /;r=(\d{1,9})/.exec(headerOf(answer, 'ratelimit') ?? '') ?? [];
    onAttempt?.({
      request: describe(outgoing),
      status: answer.status,
      durationMs: Date.now() - attemptedAtMs,
      retryAfterSeconds: readWholeSeconds(headerOf(answer, 'retry-after')),
      remaining: remaining === undefined ? null : Number(remaining),
    });
  }

  function reportNoAnswer(outgoing: Outgoing, error: unknown, attemptedAtMs: number): void {
    onAttempt?.({
      request: describe(outgoing),
      status: null,
      durationMs: Date.now() - attemptedAtMs,
      retryAfterSeconds: null,
      remaining: null,
      reason: reasonOf(error),
    });
  }

  function noAnswer(outgoing: Outgoing, error: unknown): TransportError {
    const noAnswerFrom = `${describe(outgoing)} got no answer from ${outgoing.url.origin}`;
    return giveUpAfterSeconds === undefined
      ? new TransportError(`${noAnswerFrom} in ${retries + 1} attempts: ${reasonOf(error)}.`, {
          cause: error,
        })
      : new GaveUp(`${noAnswerFrom} for ${giveUpAfterSeconds} seconds: ${reasonOf(error)}.`, {
          cause: error,
        });
  }

  async function sendOnce<Data, Refusal>(outgoing: Outgoing, signer?: Signer) {
    const answer = await exchange(outgoing, signer);
    const outcome = readOutcome<Data, Refusal>(answer, describe(outgoing));
    return { outcome, serverMs: Date.parse(headerOf(answer, 'date') ?? '') };
  }

  /** Whether the request may succeed when it is signed again. */
  function isCorrected({ outcome, serverMs }: Awaited<ReturnType<typeof sendOnce>>): boolean {
    const code = outcome.error?.code;
    if (code === 'TIMESTAMP_OUT_OF_RANGE' && !Number.isNaN(serverMs)) {
      clockOffsetMs = serverMs - Date.now();
      return true;
    }
    return code === 'NONCE_REUSED';
  }

  return {
    async send<Data, Refusal>(given: Outgoing, signer?: Signer) {
      const outgoing = { ...given, signal: given.signal ?? defaultSignal };
      try {
        const first = await sendOnce<Data, Refusal>(outgoing, signer);
        if (!isCorrected(first)) return first.outcome;
        return (await sendOnce<Data, Refusal>(outgoing, signer)).outcome;
      } catch (error) {
        if (error instanceof TokenRefused) return error.outcome;
        throw error;
      }
    },
  };
}

const unzip = promisify(gunzip);

function isRetried({ status, headers }: Answer): boolean {
  return RETRIED_STATUSES.includes(status) || (status === 500 && 'retry-after' in headers);
}

async function pauseUntil(untilMs: number, signal: AbortSignal | undefined): Promise<void> {
  const pauseMs = untilMs - Date.now();
  if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
}

/** 0 when the answer does not say how long to wait. */
function retryAfterMsOf(answer: Answer): number {
  const seconds = readWholeSeconds(headerOf(answer, 'retry-after')) ?? 0;
  return Math.min(seconds * 1_000, RETRY_AFTER_MAX_MS);
}

function describe({ method, url }: Outgoing): string {
  return `${method} ${url.pathname}`;
}

/** Whether another attempt is useless: the signer has already retried its token request, or the caller gave something that cannot be sent. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof TokenRefused ||
    error instanceof TransportError ||
    error instanceof errors.InvalidArgumentError
  );
}
