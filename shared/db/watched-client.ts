import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** Above the statement time-out: until then the server may be executing a statement. */
export const SILENCE_MS_MAX = 35_000;

/**
 * A client for a pool. It closes a connection without any traffic for SILENCE_MS_MAX; the pool closes idle connections much
 * earlier. Without this, a query to a server that vanished without closing the connection would never end.
 */
export class WatchedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super({
      ...(typeof config === 'string' ? { connectionString: config } : config),
      stream: openWatchedSocket,
    });
    // An error event without a listener would end the process, and between two queries there may be no other listener.
    this.on('error', () => undefined);
  }
}

function openWatchedSocket(): Socket {
  const socket = new Socket();
  socket.setTimeout(SILENCE_MS_MAX, () => {
    socket.destroy(new Error(`the database was silent for ${SILENCE_MS_MAX / 1_000} s`));
  });
  return socket;
}
