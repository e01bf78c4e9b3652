import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';

/** The health of a process, for orchestrators, load balancers and Prometheus. */
export interface Health {
  /** False when only a restart can help. */
  isLive(): boolean;
  /** Whether this process can do its own work. */
  readiness(): Promise<Readiness>;
  /** Whether any process is working on the waiting transmissions. */
  processing(): Promise<Processing>;
  /** Updates the gauges that are only measured on request. */
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
    health.isLive() ? json(200, { status: 'live' }) : json(503, { status: 'stuck' }),
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
 * Listens on its own port, separate from the API's. The network decides who can reach it, and its answers contain only states
 * and numbers. Rejects when the port is in use; port 0 takes any free one.
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
