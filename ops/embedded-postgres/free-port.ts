import { createServer } from 'node:net';

/** A port of 127.0.0.1 that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return listenOnce(0);
}

export async function isPortFree(port: number): Promise<boolean> {
  try {
    await listenOnce(port);
    return true;
  } catch {
    return false;
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolvePort(taken));
    });
  });
}
