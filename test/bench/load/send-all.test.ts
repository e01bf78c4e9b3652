import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendAll, sendAtRate } from './send-all.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

async function serve(listener: RequestListener): Promise<string> {
  const serving = createServer(listener);
  server = serving;
  await new Promise<void>((done) => serving.listen(0, '127.0.0.1', done));
  const { port } = serving.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

function requestsFor(url: string, count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(`GET /${index} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`),
  );
}

const requireOk = ({ status }: { status: number }) => {
  if (status !== 200) throw new Error(`answered ${status}`);
};

describe('requests at a rate', () => {
  it('are timed from the moment they are due, however long those before them take', async () => {
    const firstMs = 300;
    const url = await serve((request, response) => {
      setTimeout(() => response.end('{}'), request.url === '/0' ? firstMs : 0);
    });
    const { latenciesMs } = await sendAtRate({
      url,
      connections: 1,
      requests: requestsFor(url, 3),
      check: requireOk,
      perSecond: 100,
    });
    // Due 10 and 20 ms after the first, they waited for its connection.
    for (const latencyMs of latenciesMs) expect(latencyMs).toBeGreaterThan(firstMs / 2);
  });

  it('go over another connection when the server has closed theirs meanwhile', async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      paths.push(request.url);
      response.end('{}', () => setImmediate(() => request.socket.destroy()));
    });
    const { latenciesMs } = await sendAtRate({
      url,
      connections: 1,
      requests: requestsFor(url, 3),
      check: requireOk,
      perSecond: 20,
    });
    expect(latenciesMs).toHaveLength(3);
    expect(paths).toEqual(['/0', '/1', '/2']);
  });

  it('end with an error when a connection breaks before its answer', async () => {
    const url = await serve((request) => request.socket.destroy());
    const sent = sendAtRate({
      url,
      connections: 1,
      requests: requestsFor(url, 1),
      check: requireOk,
      perSecond: 20,
    });
    await expect(sent).rejects.toThrow('the connection was closed');
  });
});

describe('requests without a pause', () => {
  it('end with the error of an answer that does not count', async () => {
    const url = await serve((_request, response) => {
      response.statusCode = 500;
      response.end('{}');
    });
    const sent = sendAll({ url, connections: 2, requests: requestsFor(url, 4), check: requireOk });
    await expect(sent).rejects.toThrow('answered 500');
  });

  it('are no more after the signal, and only those that were sent have a time', async () => {
    const stopping = new AbortController();
    const url = await serve((request, response) => {
      if (request.url === '/1') stopping.abort();
      response.end('{}');
    });
    const { latenciesMs } = await sendAll({
      url,
      connections: 1,
      requests: requestsFor(url, 5),
      check: requireOk,
      signal: stopping.signal,
    });
    expect(latenciesMs).toHaveLength(2);
  });
});
