import { Client } from 'pg';

const { emit } = Client.prototype;

/**
 * From this call on, an error of a PostgreSQL connection without an error listener does not end the process. BullMQ opens a
 * connection for LISTEN: it adds an error listener only after it has connected, and removes all listeners before it closes the
 * connection. A server that ends the connection at one of these moments would end the process. No error is lost: every query
 * on the connection fails, and the end of its socket is a later error that a listener receives.
 *
 * The need ends with pg 9, if its clients get a default error listener: https://github.com/brianc/node-postgres/issues/3630
 */
export function outliveUnheardErrors(): void {
  Client.prototype.emit = function emitHeard(
    this: Client,
    event: string | symbol,
    ...values: unknown[]
  ): boolean {
    if (event === 'error' && this.listenerCount('error') === 0) return false;
    return emit.call(this, event, ...values);
  } as typeof emit;
}
