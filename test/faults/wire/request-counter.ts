import { startTcpProxy } from './tcp-proxy.ts';

/** A way to the API that counts requests: one attempt is one request. Token requests are not counted. */
export interface RequestCounter {
  readonly baseUrl: string;
  /** Submissions. */
  readonly sends: number;
  /** Every other signed request. */
  readonly reads: number;
  close(): Promise<void>;
}

const START_BYTES = 64;

export async function startRequestCounter(targetPort: () => number): Promise<RequestCounter> {
  let [sends, reads] = [0, 0];
  // A client sends the next request only after the answer, so each request starts a chunk.
  const countStart = (data: Buffer): void => {
    const start = data.subarray(0, START_BYTES).toString('latin1');
    if (/^POST \/api\/v1\/ppai\/policies[? ]/.test(start)) sends += 1;
    else if (/^(GET|POST) \/api\/v1\/ppai\//.test(start)) reads += 1;
  };
  const proxy = await startTcpProxy(targetPort, ({ toServer, toClient }) => ({
    fromClient: (data) => {
      countStart(data);
      toServer(data);
    },
    fromServer: toClient,
  }));
  return {
    baseUrl: `http://127.0.0.1:${proxy.port}`,
    get sends() {
      return sends;
    },
    get reads() {
      return reads;
    },
    close: () => proxy.close(),
  };
}
