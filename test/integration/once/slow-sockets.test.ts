import express from 'express';
import { readBody } from '../../../api/http/body/read-body.ts';
import { type Listening, listen } from '../../../api/http/listen.ts';
import { sendBytes } from '../../faults/abuse/raw-socket.ts';
import { beSlow, SLOWNESSES } from '../../faults/abuse/slow-sockets.ts';

const TIMEOUTS = { headersMs: 1_000, requestMs: 1_500, responseMs: 2_000, checkIntervalMs: 100 };
const WAIT_MS = 5_000;
const OF_EACH = 4;

let listening: Listening;
beforeAll(async () => {
  const app = express();
  app.get('/little', (_request, response) => void response.send('here'));
  app.post('/body', (request, response, next) => {
    readBody(request).then(() => response.send('read'), next);
  });
  app.use(((_error, _request, response, _next) => {
    response.destroy();
  }) satisfies express.ErrorRequestHandler);
  listening = await listen(app, { host: '127.0.0.1', port: 0 }, { timeouts: TIMEOUTS });
});
afterAll(() => listening.close());

// A client that does not read its answers takes minutes: npm run faults -- --full --scenario slow-sockets.
it.each(SLOWNESSES.filter((slowness) => slowness !== 'answer'))(
  'who is slow with %s is cut off, and nobody else',
  async (slowness) => {
    const { url } = listening;
    const targets = { post: '/body', get: '/little' };
    const slow = Array.from({ length: OF_EACH }, () => beSlow(url, slowness, targets, WAIT_MS));
    const others = await Promise.all(
      Array.from({ length: 5 }, () => sendBytes(url, 'GET /little HTTP/1.1\r\nHost: x\r\n\r\n')),
    );
    expect(others.map(({ statuses }) => statuses)).toEqual(others.map(() => [200]));
    expect((await Promise.all(slow)).filter((closed) => closed === undefined)).toEqual([]);
  },
);
