import { connect } from 'node:net';
import type { Answer } from '../../../../api/http/respond.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe, type ProbeCall } from '../../../env/api/probe-handlers.ts';
import { captureLog } from '../../../env/capture-log.ts';

const READ = { path: '/ppai/transmissions/PPAI-TX-2026-000000001' };
const { logger, lines } = captureLog();
let answer: (call: ProbeCall) => Promise<Answer>;
const probe = makeProbe((call) => answer(call));
let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ handlers: probe.handlers, logger });
  await api.tokenOf('alpha');
});
afterAll(() => api.stop());
beforeEach(() => {
  answer = async () => ({ status: 200, data: { reached: true } });
  probe.seen();
  lines.length = 0;
});

describe('a caller that disconnects', () => {
  it('is reported to the running handler', async () => {
    const gone = new Promise<void>((done) => {
      answer = ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            done();
            resolve({ status: 200, data: {} });
          });
        });
    });
    const leaving = new AbortController();
    const left = expect(api.send('alpha', { ...READ, signal: leaving.signal })).rejects.toThrow();
    await untilSeen();
    leaving.abort();
    await Promise.all([gone, left]);
  });

  it('while it sends a body causes one log line and no error', async () => {
    const { port, hostname } = new URL(api.baseUrl);
    const token = await api.tokenOf('alpha');
    const { clientId } = api.client('alpha');
    await new Promise<void>((done) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST /api/v1/ppai/policies HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nX-PPAI-Client-Id: ${clientId}\r\n` +
            `X-PPAI-Timestamp: ${Math.floor(Date.now() / 1_000)}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"a":`,
        );
        setTimeout(() => socket.destroy(), 100);
      });
      socket.on('close', () => done());
    });
    const left = () =>
      lines
        .map((line) => JSON.parse(line))
        .find(({ msg, answered }) => msg === 'request answered' && answered === false);
    for (let look = 0; look < 100 && left() === undefined; look += 1)
      await new Promise((done) => setTimeout(done, 20));
    expect(left()).toMatchObject({ route: '/ppai/policies', answered: false });
    expect(lines.join('')).not.toContain('"level":50');
  });
});

describe('a connection that does not speak HTTP', () => {
  it.each([
    ['nonsense\r\n\r\n'],
    ['GET / HTTP/9.9\r\n\r\n'],
    ['POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ])('is closed without an answer', async (text) => {
    const { port, hostname } = new URL(api.baseUrl);
    const received = await new Promise<string>((done) => {
      let got = '';
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on('data', (chunk) => {
        got += chunk.toString();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => done(got));
    });
    expect(received).toBe('');
    expect((await api.send('alpha', READ)).status).toBe(200);
  });

  it('is answered when only the Host header is missing', async () => {
    const { port, hostname } = new URL(api.baseUrl);
    const received = await new Promise<string>((done) => {
      let got = '';
      const socket = connect(Number(port), hostname, () =>
        socket.write('GET /api/v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n'),
      );
      socket.on('data', (chunk) => {
        got += chunk.toString();
      });
      socket.on('close', () => done(got));
    });
    expect(received).toContain('404');
    expect(received).toContain('NOT_FOUND');
  });
});

async function untilSeen(): Promise<void> {
  for (let look = 0; look < 200; look += 1) {
    if (probe.seen().length > 0) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error('no handler was reached');
}
