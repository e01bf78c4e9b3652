import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { HEADER_BYTES_MAX } from './header-limits.ts';

export interface Listening {
  /** The address, without a path. */
  readonly url: string;
  /**
   * Accepts the connections that exist now and no later ones. Resolves when that is done. Until then, answers keep their
   * connections open, because a client that had to reconnect would be refused.
   */
  stopAccepting(): Promise<void>;
  /**
   * Stops accepting, and ends each connection after its current answer. Idle connections end when no request has arrived for
   * `quietMs`, so that a client that is still sending is answered. Resolves when no connection is left.
   */
  close(): Promise<void>;
}

const HEADERS_TIMEOUT_MS = 15_000;
/** Time limit for the arrival of the whole request. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Time limit from the arrival of the headers until the answer is sent. It exceeds the longest wait after the slowest request (D3). */
const EXCHANGE_TIMEOUT_MS = 120_000;
/** Interval between checks for exceeded time limits. */
const CHECK_INTERVAL_MS = 2_000;
/** Longer than load balancers keep idle connections, so that they close them first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** During shutdown, idle connections are closed after this time without a request on any connection (`quietMs`). */
const QUIET_MS = 500;
/** During shutdown, idle connections are closed at the latest after this time. */
const LINGER_MS_MAX = 5_000;
/** A turn of the event loop that takes at most this long leaves no time for requests to arrive unnoticed. */
const SHORT_TURN_MS = 1;
/** During shutdown, a quiet turn of the event loop is awaited at most this long. */
const QUIET_TURN_WAIT_MS_MAX = 1_000;
const CONNECTIONS_MAX = 10_000;
/** Maximum number of connections waiting to be accepted. The system drops further ones: callers see resets or seconds of silence. */
const BACKLOG_MAX = 4_096;

export interface ServerTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly responseMs: number;
  readonly checkIntervalMs: number;
  readonly quietMs: number;
}

const TIMEOUTS: ServerTimeouts = {
  headersMs: HEADERS_TIMEOUT_MS,
  requestMs: REQUEST_TIMEOUT_MS,
  responseMs: EXCHANGE_TIMEOUT_MS,
  checkIntervalMs: CHECK_INTERVAL_MS,
  quietMs: QUIET_MS,
};

export interface ListenOptions {
  readonly timeouts?: Partial<ServerTimeouts>;
  /** Answers a request whose headers exceed HEADER_BYTES_MAX and closes the connection. Default: closes it without an answer. */
  readonly refuseLongHeaders?: (socket: Duplex) => void;
}

/** Rejects when the port is in use. Port 0 takes any free one. A client that exceeds a time limit is disconnected. */
export function listen(
  app: Express,
  { host, port }: { host: string; port: number },
  { timeouts: given = {}, refuseLongHeaders = destroy }: ListenOptions = {},
): Promise<Listening> {
  const timeouts = { ...TIMEOUTS, ...given };
  const answering = new Map<ServerResponse, number>();
  let isClosing = false;
  let lastRequestMs = 0;
  // Must handle every request, from whichever event: a request that bypassed it would have no time limit and could block shutdown.
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
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      // No route depends on the host name, and every error must be answered in the envelope.
      requireHostHeader: false,
    },
    answer,
  );
  const checking = setInterval(() => {
    const before = performance.now() - timeouts.responseMs;
    for (const [response, since] of answering) if (since < before) response.req.socket.destroy();
  }, timeouts.checkIntervalMs);
  checking.unref();
  // 0 means all: `refuseManyHeaders` refuses a request with too many, instead of dropping headers.
  server.maxHeadersCount = 0;
  server.maxConnections = CONNECTIONS_MAX;
  server.on('checkExpectation', answer);
  const isAnswering = (socket: Duplex): boolean =>
    [...answering.keys()].some((response) => response.req.socket === socket);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Data that is not HTTP gets no answer.
    if (error.code !== 'HPE_HEADER_OVERFLOW' || isAnswering(socket)) socket.destroy();
    // A client that keeps sending causes this event again, after the answer has been sent.
    else if (socket.writable) refuseLongHeaders(socket);
  });

  let accepted = 0;
  server.on('connection', () => {
    accepted += 1;
  });
  /**
   * Runs `close` after a quiet turn of the event loop: it took little time, and no connection waited to be accepted. The system
   * resets connections that it has completed and the process has not yet accepted, and under load these can be many, because
   * the loop accepts one per turn (https://github.com/libuv/libuv/pull/3696).
   */
  const afterQuietTurn = (close: () => void): void => {
    const waitingSinceMs = performance.now();
    const turn = (): void => {
      const [startedMs, before] = [performance.now(), accepted];
      setImmediate(() => {
        const nowMs = performance.now();
        const isQuiet = nowMs - startedMs <= SHORT_TURN_MS && accepted === before;
        if (isQuiet || nowMs - waitingSinceMs > QUIET_TURN_WAIT_MS_MAX) close();
        else turn();
      });
    };
    setImmediate(turn);
  };

  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  let stopped: Promise<void> | undefined;
  const stopAccepting = (): Promise<void> => {
    stopped ??= new Promise((done) => {
      afterQuietTurn(() => {
        // `close` of the HTTP server would end idle connections at once and lose requests that are in transit:
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
      // A connection whose request has been received is no longer idle.
      linger = setTimeout(() => afterQuietTurn(closeIdle), Math.ceil(milliseconds));
    };
    lingerFor(timeouts.quietMs);
    await ended;
    clearTimeout(linger);
    clearInterval(checking);
    // Stops the server's own timer.
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

function endAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

function destroy(socket: Duplex): void {
  socket.destroy();
}
