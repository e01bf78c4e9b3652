import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** One kept-alive HTTP/1.1 connection, one request at a time; does so little that the generator is not what is measured. */
export interface HttpConnection {
  /** False when the other side has closed it, as it does with one that is not used for a while. */
  isOpen(): boolean;
  /** Rejects when the connection ends, or has ended before, or the answer has no Content-Length. */
  send(request: Buffer): Promise<RawAnswer>;
  close(): void;
}

export async function openHttpConnection(url: string): Promise<HttpConnection> {
  const { hostname, port } = new URL(url);
  const socket = await opened(connect({ host: hostname, port: Number(port), noDelay: true }));
  let received: Buffer = Buffer.alloc(0);
  let pending: { resolve(answer: RawAnswer): void; reject(error: Error): void } | undefined;
  const fail = (error: Error): void => {
    pending?.reject(error);
    pending = undefined;
    socket.destroy();
  };
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    try {
      const answer = readAnswer(received);
      if (answer === undefined) return;
      received = Buffer.alloc(0);
      const waiting = pending;
      pending = undefined;
      waiting?.resolve(answer);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the connection was closed')));
  return {
    isOpen: () => !socket.destroyed,
    send: (request) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection was closed'));
        pending = { resolve, reject };
        socket.write(request);
      }),
    close: () => {
      pending = undefined;
      socket.destroy();
    },
  };
}

/** Undefined while the answer is not complete. */
function readAnswer(received: Buffer): RawAnswer | undefined {
  const headEnd = received.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  const bodyStart = headEnd + HEAD_END.length;
  const bodyEnd = bodyStart + Number(length);
  if (received.length < bodyEnd) return undefined;
  return { status: Number(head.slice(9, 12)), body: received.subarray(bodyStart, bodyEnd) };
}

function opened(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}
