import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { HEADER_BYTES_MAX } from './header-limits.ts';

export interface Listening {
  /** Without a path. */
  readonly url: string;
  /**
   * Accepts the connections that exist now and no later ones. Resolves a moment later, when that is done. Until then, answers
   * keep their connections open, because a client that is told to reconnect would be refused.
   */
  stopAccepting(): Promise<void>;
  /**
   * Stops accepting, and ends each connection after its current answer. Idle connections end when no request has arrived for
   * `quietMs`, so that a client that is still sending is answered. Resolves when no connection is left.
   */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 15_000;
/** For the whole request to arrive. */
const REQUEST_TIMEOUT_MS = 60_000;
/** From its headers on until its answer is read; longer than the longest wait after the slowest request (D3). */
const EXCHANGE_TIMEOUT_MS = 120_000;
/** How late a time-out may be noticed. */
const LOOK_EVERY_MS = 2_000;
/** Longer than load balancers keep idle connections, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** When the process ends, idle connections are closed after so long without a request on any (`quietMs`), */
const QUIET_MS = 500;
/** and at the latest after so long. */
const LINGER_MS_MAX = 5_000;
const CONNECTIONS_MAX = 10_000;
/** Connections that wait to be accepted; the system drops those beyond it, which callers see as resets or seconds of silence. */
const BACKLOG_MAX = 4_096;

export interface ServerTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly responseMs: number;
  readonly lookEveryMs: number;
  readonly quietMs: number;
}

const TIMEOUTS: ServerTimeouts = {
  headersMs: HEADERS_TIMEOUT_MS,
  requestMs: REQUEST_TIMEOUT_MS,
  responseMs: EXCHANGE_TIMEOUT_MS,
  lookEveryMs: LOOK_EVERY_MS,
  quietMs: QUIET_MS,
};

export interface ListenOptions {
  readonly timeouts?: Partial<ServerTimeouts>;
  /** Answers and ends a connection whose request has headers over HEADER_BYTES_MAX; without it, it is only ended. */
  readonly refuseLongHeaders?: (socket: Duplex) => void;
}

/** Rejects when the port is taken. `port` 0 takes any free one. A client that exceeds a time-out is disconnected. */
export function listen(
  app: Express,
  { host, port }: { host: string; port: number },
  { timeouts: given = {}, refuseLongHeaders = destroy }: ListenOptions = {},
): Promise<Listening> {
  const timeouts = { ...TIMEOUTS, ...given };
  const answering = new Map<ServerResponse, number>();
  let isClosing = false;
  let lastRequestMs = 0;
  // For every request, whatever event it comes by: one that passed by would be under no time-out and hold up the end.
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    answering.set(response, performance.now());
    response.on('close', () => answering.delete(response));
    lastRequestMs = performance.now();
    if (isClosing) endAfter(response);
    app(request, response);
  };
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.lookEveryMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // Every answer is ours, and no route depends on the name it was called by.
      requireHostHeader: false,
    },
    answer,
  );
  const looking = setInterval(() => {
    const before = performance.now() - timeouts.responseMs;
    for (const [response, since] of answering) if (since < before) response.req.socket.destroy();
  }, timeouts.lookEveryMs);
  looking.unref();
  // All of them: what is over a limit is refused (`refuseManyHeaders`), never left out.
  server.maxHeadersCount = 0;
  server.maxConnections = CONNECTIONS_MAX;
  server.on('checkExpectation', answer);
  const isAnswering = (socket: Duplex): boolean =>
    [...answering.keys()].some((response) => response.req.socket === socket);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What is not HTTP gets no answer.
    if (error.code !== 'HPE_HEADER_OVERFLOW' || isAnswering(socket)) socket.destroy();
    // Who goes on sending is reported again; the answer is on its way by then.
    else if (socket.writable) refuseLongHeaders(socket);
  });

  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  let stopped: Promise<void> | undefined;
  const stopAccepting = (): Promise<void> => {
    stopped ??= new Promise((done) => {
      afterAccepting(() => {
        // `close` of the HTTP server would end idle connections at once, and with them requests that are on their way:
        // https://github.com/nodejs/node/issues/60617 asks for a server that drains them.
        NetServer.prototype.close.call(server);
        isClosing = true;
        for (const response of answering.keys()) endAfter(response);
        done();
      });
    });
    return stopped;
  };
  const close = async (): Promise<void> => {
    await stopAccepting();
    const sinceMs = performance.now();
    let linger: NodeJS.Timeout | undefined;
    const closeIdle = (): void => {
      const quietSinceMs = Math.max(lastRequestMs, sinceMs);
      const leftMs =
        Math.min(quietSinceMs + timeouts.quietMs, sinceMs + LINGER_MS_MAX) - performance.now();
      if (leftMs <= 0) server.closeIdleConnections();
      else lingerFor(leftMs);
    };
    const lingerFor = (milliseconds: number): void => {
      // What has arrived by then is read first, and its connection is no longer idle.
      linger = setTimeout(() => setImmediate(closeIdle), Math.ceil(milliseconds));
    };
    lingerFor(timeouts.quietMs);
    await ended;
    clearTimeout(linger);
    clearInterval(looking);
    // Its own timer is left.
    server.close();
  };

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG_MAX }, () => {
      server.off('error', reject);
      const { port: taken } = server.address() as AddressInfo;
      const name = host.includes(':') ? `[${host}]` : host;
      resolve({ url: `http://${name}:${taken}`, stopAccepting, close });
    });
  });
}

/**
 * Runs `stop` right after a look for new connections, that of the next turn of the event loop: the system resets those that
 * it has taken and the process hasn't when nobody listens any more, and a turn under load is long.
 */
function afterAccepting(stop: () => void): void {
  setImmediate(() => setImmediate(stop));
}

function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function destroy(socket: Duplex): void {
  socket.destroy();
}
