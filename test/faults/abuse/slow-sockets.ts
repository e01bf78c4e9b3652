import { setTimeout as sleep } from 'node:timers/promises';
import { anyAddress } from '../../env/api/signed-request.ts';
import { open } from './raw-socket.ts';

export const SLOWNESSES = ['silent', 'headers', 'body', 'answer'] as const;
export type Slowness = (typeof SLOWNESSES)[number];

export interface SlowTargets {
  /** Reads a body before it answers. */
  readonly post: string;
  /** Answers with more data than the buffers of a connection can hold. */
  readonly get: string;
}

/** More than the buffers of a connection can hold. */
const UNREAD_ANSWERS = 12;
const TRICKLE_MS = 500;

/**
 * Keeps a connection open with slow traffic: sends nothing, sends headers or a body byte by byte, or does not read. Resolves with
 * the milliseconds after which the server closed the connection; undefined when it did not within `waitMs`.
 */
export async function beSlow(
  baseUrl: string,
  slowness: Slowness,
  { post, get }: SlowTargets,
  waitMs: number,
): Promise<number | undefined> {
  const since = performance.now();
  const socket = open(baseUrl);
  let closedAfter: number | undefined;
  socket.on('close', () => {
    closedAfter = performance.now() - since;
  });
  const beginning = {
    silent: '',
    headers: 'GET / HTTP/1.1\r\nHost: x\r\nX: ',
    body: `POST ${post} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${anyAddress()}\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{`,
    answer: `GET ${get} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(UNREAD_ANSWERS),
  }[slowness];
  if (slowness === 'answer') socket.pause();
  else socket.resume();
  socket.write(beginning);
  const isTrickling = slowness === 'headers' || slowness === 'body';
  while (closedAfter === undefined && performance.now() - since < waitMs) {
    await sleep(TRICKLE_MS);
    if (isTrickling && socket.writable) socket.write('a');
  }
  if (slowness === 'answer') {
    // Unread data hides the close. If the connection were still open, the next answer would follow.
    const read = await readToEnd(socket);
    if (read) closedAfter ??= performance.now() - since;
  }
  socket.destroy();
  return closedAfter;
}

const END_MS_MAX = 18_000;

/** Whether the server has closed the connection, after reading the data in transit. */
async function readToEnd(socket: ReturnType<typeof open>): Promise<boolean> {
  const end = sleep(END_MS_MAX, false, { ref: false });
  const closed = new Promise<boolean>((resolve) => socket.on('close', () => resolve(true)));
  if (socket.destroyed) return true;
  socket.resume();
  return Promise.race([closed, end]);
}
