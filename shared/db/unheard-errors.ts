import { Client } from 'pg';

const { emit } = Client.prototype;

/**
 * From now on an error of a connection that nobody listens to, yet or any more, does not end the process. BullMQ opens the
 * connection that waits for its notices by itself, listens to its errors only after it is connected, and no more while it
 * closes it: a server that ends it right then sends its greeting and its farewell together. Queries of it fail all the same,
 * and the end of its socket is an error of its own, later, that is heard.
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
