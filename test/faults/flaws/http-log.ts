/** What the clients of one round met, attempt by attempt. */
export interface HttpLog {
  readonly attempts: number;
  /** `500 INTERNAL_ERROR POST /…`; such answers may only come while something is broken. */
  readonly serverErrors: readonly string[];
  /** The port was closed: the request was never sent. */
  readonly refused: number;
  /** Sent, and never answered. */
  readonly unanswered: readonly string[];
  clear(): void;
}

export interface LoggedFetch {
  readonly log: HttpLog;
  readonly fetch: typeof globalThis.fetch;
}

export function makeLoggedFetch(): LoggedFetch {
  let attempts = 0;
  let refused = 0;
  let serverErrors: string[] = [];
  let unanswered: string[] = [];
  return {
    log: {
      get attempts() {
        return attempts;
      },
      get refused() {
        return refused;
      },
      get serverErrors() {
        return serverErrors;
      },
      get unanswered() {
        return unanswered;
      },
      clear: () => {
        [attempts, refused, serverErrors, unanswered] = [0, 0, [], []];
      },
    },
    fetch: async (input, init) => {
      attempts += 1;
      const what = describe(input);
      try {
        const response = await globalThis.fetch(input, init);
        if (response.status >= 500) serverErrors.push(`${response.status} ${what}`);
        return response;
      } catch (error) {
        const reason = reasonOf(error);
        if (reason === 'ECONNREFUSED') refused += 1;
        else unanswered.push(`${reason} ${what}`);
        throw error;
      }
    },
  };
}

function describe(input: string | URL | Request): string {
  if (!(input instanceof Request)) return String(input);
  return `${input.method} ${new URL(input.url).pathname}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : String(cause);
}
