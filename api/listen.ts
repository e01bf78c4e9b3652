import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Express } from 'express';

export interface Listening {
  /** Without a path. */
  readonly url: string;
  /**
   * Accepts nothing more, ends each connection after the answer it waits for, and idle ones a moment later: a request that is
   * on its way then is answered, too. Resolves when none is left.
   */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 15_000;
/** For the whole request to arrive. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Longer than load balancers keep idle connections, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** How long an idle connection may still bring a request when the process ends. */
const LINGER_MS = 500;
const HEADERS_MAX = 100;
const HEADER_BYTES_MAX = 16_384;
const CONNECTIONS_MAX = 10_000;

/** Rejects when the port is taken. `port` 0 takes any free one. */
export function listen(
  app: Express,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const answering = new Set<ServerResponse>();
  let isClosing = false;
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // Every answer is ours, and no route depends on the name it was called by.
      requireHostHeader: false,
    },
    (request, response) => {
      answering.add(response);
      response.on('close', () => answering.delete(response));
      if (isClosing) endAfter(response);
      app(request, response);
    },
  );
  server.maxHeadersCount = HEADERS_MAX;
  server.maxConnections = CONNECTIONS_MAX;
  server.on('checkExpectation', (request, response) => app(request, response));
  // What is not HTTP gets no answer.
  server.on('clientError', (_error, socket) => socket.destroy());

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { port: taken } = server.address() as AddressInfo;
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
        close: () =>
          new Promise((done) => {
            isClosing = true;
            for (const response of answering) endAfter(response);
            // What has arrived by then is read first, and its connection is no longer idle.
            const linger = setTimeout(() => setImmediate(() => server.close()), LINGER_MS);
            // That of the HTTP server ends idle connections at once.
            NetServer.prototype.close.call(server, () => {
              clearTimeout(linger);
              server.close();
              done();
            });
          }),
      });
    });
  });
}

function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
