import type { Attempt } from '../../../client/transport.ts';

/** The HTTP attempts of all clients in one round. */
export interface HttpLog {
  readonly attempts: number;
  /** Such as `500 POST /…`. Only scenarios whose fault causes them allow them. */
  readonly serverErrors: readonly string[];
  /** Attempts to connect to a closed port: the request was never sent. */
  readonly refused: number;
  /** Requests that were sent and not answered. */
  readonly unanswered: readonly string[];
  clear(): void;
}

/** The log, and what the clients call after each attempt. */
export function makeHttpLog(): { readonly log: HttpLog; onAttempt(attempt: Attempt): void } {
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
    onAttempt: ({ request, status, reason }) => {
      attempts += 1;
      if (status === null) {
        if (reason?.includes('ECONNREFUSED')) refused += 1;
        else unanswered.push(`${reason} ${request}`);
      } else if (status >= 500) serverErrors.push(`${status} ${request}`);
    },
  };
}
