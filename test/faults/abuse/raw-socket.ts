import { connect, type Socket } from 'node:net';
import { TIMEOUT_MS } from '../../env/server-timeouts.ts';

export interface RawAnswer {
  /** The statuses of the answers, in order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** How long no further data may arrive after the expected answers. */
const QUIET_MS = 400;

/**
 * Sends bytes unchanged and reads until the server closes the connection, or until `answersDue` answers have arrived and nothing
 * follows them. Silence before the last answer does not end the wait, because the machine may be paused.
 */
export function sendBytes(baseUrl: string, bytes: string, answersDue = 1): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = open(baseUrl);
    let text = '';
    const end = (): void => {
      socket.destroy();
      resolve({ statuses: statusesIn(text), text });
    };
    socket.setTimeout(TIMEOUT_MS, end);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (statusesIn(text).length >= answersDue) {
        socket.setTimeout(QUIET_MS);
      }
    });
    socket.on('close', end);
    socket.write(bytes, 'latin1');
  });
}

/** Ignores 100 Continue. */
function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)]
    .map(([, code]) => Number(code))
    .filter((status) => status !== 100);
}

/** Opens a connection that ignores errors, such as a reset. */
export function open(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
}
