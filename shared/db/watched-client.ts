import { Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';

/** Above the longest that a statement may take: until then silence may be work. */
export const SILENCE_MS_MAX = 35_000;

/**
 * For the `Client` of a pool, whose idle connections are closed long before: one on which nothing was sent or heard for so long is
 * lost. A server that vanished without a word would else be waited for without end, and whoever waits would be stuck.
 */
export class WatchedClient extends Client {
  constructor(config?: string | ClientConfig) {
    super({
      ...(typeof config === 'string' ? { connectionString: config } : config),
      stream: openWatchedSocket,
    });
    // Between two queries nobody else may listen, and an error that nobody hears ends the process.
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
