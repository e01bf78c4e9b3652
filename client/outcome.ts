import type { ErrorBody } from '../shared/contract/machine/envelope.ts';

/** The parts of every answer that are not in its envelope. */
export interface Answered {
  readonly status: number;
  readonly requestId: string | null;
  /** Whole seconds of Retry-After; null when the answer has none. */
  readonly retryAfterSeconds: number | null;
}

export interface Success<Data> extends Answered {
  readonly ok: true;
  readonly data: Data;
  readonly error: null;
}

export interface Failure<Refusal> extends Answered {
  readonly ok: false;
  /** Details about the refused request, or null: see each method. */
  readonly data: Refusal | null;
  readonly error: ErrorBody;
}

/** An answer in the registry's envelope (api.md, "Envelope"). */
export type Outcome<Data, Refusal = never> = Success<Data> | Failure<Refusal>;

/** No answer in the registry's envelope, after all retries. The request may have arrived; sending it again is safe. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
}

/** An answer over HTTP, read to its end. The names of its headers are in lower case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The value of a header that is sent at most once; null without it. */
export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/** Throws {@link TransportError} when the answer is not an envelope. */
export function readOutcome<Data, Refusal>(
  answer: Answer,
  request: string,
): Outcome<Data, Refusal> {
  const { status, text } = answer;
  const envelope = parseEnvelope<Data, Refusal>(text);
  if (envelope === undefined) {
    throw new TransportError(
      `${request} was answered ${status} without the registry's envelope: ${JSON.stringify(text.slice(0, 200))}. Is the base URL right?`,
    );
  }
  const answered: Answered = {
    status,
    requestId: headerOf(answer, 'x-request-id'),
    retryAfterSeconds: readWholeSeconds(headerOf(answer, 'retry-after')),
  };
  return { ...answered, ...envelope };
}

type Envelope<Data, Refusal> =
  | { readonly ok: true; readonly data: Data; readonly error: null }
  | { readonly ok: false; readonly data: Refusal | null; readonly error: ErrorBody };

function parseEnvelope<Data, Refusal>(text: string): Envelope<Data, Refusal> | undefined {
  const value = parseObject(text);
  if (value === undefined) return undefined;
  if (value['success'] === true && isObject(value['data'])) {
    return { ok: true, data: value['data'] as Data, error: null };
  }
  const error = value['error'];
  if (value['success'] !== false || !isObject(error) || typeof error['code'] !== 'string')
    return undefined;
  return {
    ok: false,
    data: (value['data'] ?? null) as Refusal | null,
    error: error as unknown as ErrorBody,
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Null when the header is absent or is not a whole number. */
export function readWholeSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
