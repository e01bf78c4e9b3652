import { openHttpConnection, type RawAnswer } from './http-connection.ts';

export interface LoadResult {
  /** Time of each request from the moment it was due, milliseconds, in the order of the requests. */
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
}

interface Load {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly Buffer[];
  /** Throws when the answer is not the one that counts. */
  readonly check: (answer: RawAnswer, index: number) => void;
}

interface ClosedLoad extends Load {
  /** Each request waits for it before its clock starts. */
  readonly hold?: () => Promise<void>;
  /** No request is sent when it has come. */
  readonly signal?: AbortSignal;
}

/** Closed loop: each connection sends its next request when the one before was answered. Latencies are of those that were sent. */
export async function sendAll({
  url,
  connections,
  requests,
  check,
  hold,
  signal,
}: ClosedLoad): Promise<LoadResult> {
  const pool = await openConnections(url, Math.min(connections, requests.length));
  const latenciesMs = requests.map(() => 0);
  let next = 0;
  const started = performance.now();
  try {
    await Promise.all(
      pool.map(async (connection) => {
        for (;;) {
          await hold?.();
          const index = next;
          const request = requests[index];
          if (request === undefined || signal?.aborted === true) return;
          next += 1;
          const sent = performance.now();
          check(await connection.send(request), index);
          latenciesMs[index] = performance.now() - sent;
        }
      }),
    );
    return { latenciesMs: latenciesMs.slice(0, next), elapsedMs: performance.now() - started };
  } finally {
    for (const connection of pool) connection.close();
  }
}

/**
 * Open loop: request i is due at i / rate, whatever became of those before, and its clock starts then. When all
 * connections are busy it waits for one, and the wait counts. One that was closed while it was not used is opened again.
 */
export async function sendAtRate({
  url,
  connections,
  requests,
  check,
  perSecond,
}: Load & { readonly perSecond: number }): Promise<LoadResult> {
  const pool = await openConnections(url, connections);
  const free = [...pool];
  const due: number[] = [];
  const latenciesMs = requests.map(() => 0);
  const intervalMs = 1_000 / perSecond;
  const started = performance.now();
  try {
    await new Promise<void>((resolve, reject) => {
      let scheduled = 0;
      let answered = 0;
      const reopen = async (): Promise<void> => {
        const connection = await openHttpConnection(url);
        pool.push(connection);
        free.push(connection);
        dispatch();
      };
      const dispatch = (): void => {
        while (due.length > 0) {
          const connection = free.pop();
          if (connection === undefined) return;
          if (!connection.isOpen()) {
            reopen().catch(reject);
            continue;
          }
          const index = due.shift() ?? 0;
          const dueAt = started + index * intervalMs;
          connection
            .send(requests[index] ?? Buffer.alloc(0))
            .then((answer) => {
              check(answer, index);
              latenciesMs[index] = performance.now() - dueAt;
              answered += 1;
              free.push(connection);
              if (answered === requests.length) resolve();
              else dispatch();
            })
            .catch(reject);
        }
      };
      const tick = (): void => {
        const elapsed = performance.now() - started;
        while (scheduled < requests.length && scheduled * intervalMs <= elapsed) {
          due.push(scheduled);
          scheduled += 1;
        }
        dispatch();
        if (scheduled < requests.length) {
          setTimeout(tick, Math.max(0, scheduled * intervalMs - (performance.now() - started)));
        }
      };
      tick();
    });
    return { latenciesMs, elapsedMs: performance.now() - started };
  } finally {
    for (const connection of pool) connection.close();
  }
}

function openConnections(url: string, count: number) {
  return Promise.all(Array.from({ length: count }, () => openHttpConnection(url)));
}
