import type { Failure, Outcome } from '../outcome.ts';

/** A request that a command depends on was refused. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly outcome: Failure<object>;
  constructor(outcome: Failure<object>) {
    super(`${outcome.status} ${outcome.error.code}: ${outcome.error.message}`);
    this.outcome = outcome;
  }
}

/** Throws {@link RequestRefused}. */
export function requireData<Data>(outcome: Outcome<Data, object>): Data {
  if (outcome.ok) return outcome.data;
  throw new RequestRefused(outcome);
}
