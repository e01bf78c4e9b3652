import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** The status lines of what came back, but for 100 Continue. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** Sends bytes as they are and reads until the other end closes, or nothing more comes for a while. */
export function sendBytes(baseUrl: string, bytes: string, quietMs = 400): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = open(baseUrl);
    let text = '';
    const end = (): void => {
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, code]) =>
        Number(code),
      );
      resolve({ statuses: statuses.filter((status) => status !== 100), text });
    };
    socket.setTimeout(quietMs, end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', end);
    socket.write(bytes, 'latin1');
  });
}

/** A connection that does not mind being closed. */
export function open(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
}
