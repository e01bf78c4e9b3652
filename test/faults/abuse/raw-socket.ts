import { connect, type Socket } from 'node:net';
import { TIMEOUT_MS } from '../../env/server-timeouts.ts';

export interface RawAnswer {
  /** Of the answers, in their order. */
  readonly statuses: readonly number[];
  readonly text: string;
}

/** After the answers that are due: how long nothing more must come, ms. */
const QUIET_MS = 400;

/**
 * Sends bytes as they are and reads until the other end closes, or so many answers have come and nothing after them.
 * Silence before the last of them ends nothing: a machine that stands still is silent, too.
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

/** 100 Continue is no answer. */
function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.[01] (\d{3}) /g)]
    .map(([, code]) => Number(code))
    .filter((status) => status !== 100);
}

/** A connection that does not mind being closed. */
export function open(baseUrl: string): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  return socket;
}
