import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** What a process says of itself to orchestrators, load balancers and Prometheus. */
export interface Health {
  /** False when only a restart helps. */
  isLive(): boolean;
  /** Whether it can do its own part. */
  readiness(): Promise<Readiness>;
  /** Whether what waits is being worked on, by whichever process. */
  processing(): Promise<Processing>;
  /** Brings up to date what is only measured when somebody asks. */
  measure(): Promise<void>;
  readonly metrics: Metrics;
}

export interface Processing {
  readonly isStalled: boolean;
  readonly details: Readonly<Record<string, number | null>>;
}

export interface HealthServer {
  /** Without a path. */
  readonly url: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const ROUTES: Readonly<Record<string, (health: Health) => Promise<Answer>>> = {
  '/health/live': async (health) =>
    health.isLive() ? json(200, { status: 'live' }) : json(503, { status: 'stands still' }),
  '/health/ready': async (health) => {
    const { ready, checks } = await health.readiness();
    return json(ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks });
  },
  '/health/processing': async (health) => {
    const { isStalled, details } = await health.processing();
    return json(isStalled ? 503 : 200, {
      status: isStalled ? 'stalled' : 'processing',
      ...details,
    });
  },
  '/metrics': async (health) => {
    await health.measure();
    const { registry } = health.metrics;
    return { status: 200, type: registry.contentType, body: await registry.metrics() };
  },
};

/**
 * On a port of its own, apart from the API's: who may reach it is decided by the network, and plain answers without an
 * envelope show no more than states and numbers. Rejects when the port is taken; 0 takes any free one.
 */
export function listenForHealth(
  health: Health,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    answer(health, request).then(
      (answered) => send(response, answered),
      () => send(response, json(503, { status: 'unknown' })),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { port: bound } = server.address() as AddressInfo;
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

async function answer(health: Health, { method, url = '' }: IncomingMessage): Promise<Answer> {
  const [path = ''] = url.split('?');
  const route = ROUTES[path];
  if (route === undefined) return json(404, { status: 'unknown path', paths: Object.keys(ROUTES) });
  if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'only GET' });
  return route(health);
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(body)}\n` };
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
}
