import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy between a process and a server that can inject network faults. */
export interface TcpProxy {
  readonly port: number;
  /** Delays all data in both directions. */
  setLatency(milliseconds: number): void;
  /** While on, all data is dropped. A connection that has lost data stays open and silent forever. */
  setBlackHole(isOn: boolean): void;
  /** Resets every connection. */
  resetAll(): void;
  /** Stops listening and resets all connections. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** One connection through the proxy. */
export interface Link {
  toServer(data: Buffer): void;
  toClient(data: Buffer): void;
  /** Resets both ends. */
  cut(): void;
}

/** Intercepts a connection: it forwards data unchanged, changed, later or never. */
export interface Tap {
  fromClient(data: Buffer): void;
  fromServer(data: Buffer): void;
}

const HOST = '127.0.0.1';

/** `targetPort` is called for every connection, because the server may have moved. */
export async function startTcpProxy(
  targetPort: () => number,
  tap: (link: Link) => Tap = passOn,
): Promise<TcpProxy> {
  const links = new Set<Link>();
  let latencyMs = 0;
  let isBlackHole = false;
  const server = createServer((client) => {
    const upstream = connect({ host: HOST, port: targetPort() });
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    let isSilent = isBlackHole;
    const writer = (socket: Socket) => {
      let turn = Promise.resolve();
      return (data: Buffer): void => {
        isSilent ||= isBlackHole;
        if (isSilent) return;
        const lateMs = latencyMs;
        turn = turn.then(async () => {
          if (lateMs > 0) await sleep(lateMs);
          if (socket.writable && !isSilent) socket.write(data);
        });
      };
    };
    const cut = (): void => {
      links.delete(link);
      for (const socket of [client, upstream]) {
        if (socket.connecting) socket.destroy();
        else socket.resetAndDestroy();
      }
    };
    const link: Link = { toServer: writer(upstream), toClient: writer(client), cut };
    links.add(link);
    const { fromClient, fromServer } = tap(link);
    client.on('data', fromClient);
    upstream.on('data', fromServer);
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        // In a black hole the client must not notice that the server has closed.
        if (isSilent && socket === upstream) return;
        links.delete(link);
        client.destroySoon();
        upstream.destroySoon();
      });
    }
  });
  const resetAll = (): void => {
    for (const link of links) link.cut();
  };
  const down = async (): Promise<void> => {
    resetAll();
    if (server.listening) await new Promise<void>((done) => server.close(() => done()));
  };
  const port = await listen(server, 0);
  return {
    port,
    setLatency: (milliseconds) => {
      latencyMs = milliseconds;
    },
    setBlackHole: (isOn) => {
      isBlackHole = isOn;
    },
    resetAll,
    down,
    up: async () => void (await listen(server, port)),
    close: down,
  };
}

function passOn({ toServer, toClient }: Link): Tap {
  return { fromClient: toServer, fromServer: toClient };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
