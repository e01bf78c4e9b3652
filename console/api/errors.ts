import type { ErrorBody } from '../../shared/contract/machine/envelope.ts';

type Detail = NonNullable<ErrorBody['details']>[number];

/** The registry refused a request, or failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorBody['code'];
  readonly details: readonly Detail[];
  readonly requestId: string | undefined;
  /** The current object of a conflict. */
  readonly data: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, error: ErrorBody, data: unknown, retryAfterSeconds?: number) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.details = error.details ?? [];
    this.requestId = error.requestId;
    this.data = data;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  hasDetail(code: string): boolean {
    return this.details.some((detail) => detail.code === code);
  }
}

/** No answer came: the registry or the network is down. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(mayBeSaved: boolean) {
    super(
      mayBeSaved
        ? 'The registry cannot be reached. The change may have been saved; this page reads again what is stored.'
        : 'The registry cannot be reached. Nothing was changed.',
    );
  }
}

/** The user closed the dialog that the action needed. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export function isApiError(error: unknown, code?: ErrorBody['code']): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}

/** The messages about one field of a refused form or query. */
export function messagesOf(error: unknown, field: string): string[] {
  if (!(error instanceof ApiError)) return [];
  return error.details.filter((detail) => detail.field === field).map(({ message }) => message);
}
