import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROBE_MS_MAX, within } from '../shared/platform/within.ts';
import { makeBacklogGauges } from '../shared/store/backlog-gauges.ts';
import type { WorkerContext } from './context.ts';

export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Far above what a batch and those before it take on a slow database: a worker that is late is not restarted, one that
 * stands still is. Others take over what it holds when its lease ends, whether it is restarted or not.
 */
export const BATCH_MS_MAX = 600_000;

/** A worker's own /health/live, /health/ready and /metrics, for its orchestrator. */
export function listenForHealth(
  context: Pick<WorkerContext, 'db' | 'metrics' | 'config' | 'logger' | 'batches'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<HealthServer> {
  const { db, metrics, batches } = context;
  const updateBacklogGauges = makeBacklogGauges(context);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/health/live') {
      if (batches.underWayMs() > BATCH_MS_MAX) response.writeHead(503).end('stands still\n');
      else response.end('live\n');
    } else if (request.url === '/health/ready') {
      await within(PROBE_MS_MAX, db.$queryRaw`SELECT 1 AS one`);
      response.end('ready\n');
    } else if (request.url === '/metrics') {
      await updateBacklogGauges();
      response.setHeader('Content-Type', metrics.registry.contentType);
      response.end(await metrics.registry.metrics());
    } else {
      response.writeHead(404).end();
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(503).end('not ready\n'));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const { port: bound } = server.address() as AddressInfo;
      resolve({
        url: `http://${host}:${bound}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}
