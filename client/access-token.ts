import type { TokenResponse } from '../shared/contract/machine/token.ts';
import type { Outcome } from './outcome.ts';
import { TokenRefused } from './transport.ts';

/** A token is renewed when less than this share of its lifetime is left. */
const RENEWAL_SHARE = 0.1;

export interface AccessToken {
  /** The current token, obtained or renewed if necessary. Throws TokenRefused with the answer of the token endpoint. */
  read(): Promise<string>;
  /** Forgets a token that the registry no longer accepts. Does nothing if the token has been renewed since. */
  drop(token: string): void;
}

/** Concurrent reads share one token request. */
export function makeAccessToken(obtain: () => Promise<Outcome<TokenResponse>>): AccessToken {
  let current: { readonly token: string; readonly renewAtMs: number } | undefined;
  let pending: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const requestedAtMs = Date.now();
    const outcome = await obtain();
    if (!outcome.ok) throw new TokenRefused(outcome);
    const { access_token: token, expires_in: seconds } = outcome.data;
    current = { token, renewAtMs: requestedAtMs + seconds * 1_000 * (1 - RENEWAL_SHARE) };
    return token;
  }

  return {
    async read() {
      if (current !== undefined && Date.now() < current.renewAtMs) return current.token;
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
