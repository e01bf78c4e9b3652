import { connect } from 'node:net';
import type { Envelope } from '../../../../shared/contract/machine/envelope.ts';
import { startTestApi, type TestApi } from '../../../env/api/api-env.ts';
import { makeProbe } from '../../../env/api/probe-handlers.ts';
import { anyAddress } from '../../../env/api/signed-request.ts';
import { type RawAnswer, sendBytes } from '../../../faults/abuse/raw-socket.ts';

const probe = makeProbe();
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: probe.handlers });
});
afterAll(() => api.stop());

const TARGETS: readonly (readonly [realm: string, method: string, target: string])[] = [
  ['the machine API', 'GET', '/api/v1/ppai/policies/x'],
  ['the token endpoint', 'POST', '/api/v1/oauth/token'],
  ['the staff realm', 'POST', '/auth/v1/login'],
  ['the public documents', 'GET', '/api/v1/openapi.json'],
  ['the liveness probe', 'GET', '/health/live'],
  ['an unknown route', 'GET', '/nothing'],
];

function requestOf(method: string, target: string, lines: readonly string[], body = ''): string {
  return `${method} ${target} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`;
}

function fillers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `X-Filler-${index}: x`);
}

/** Returns statuses, envelope and error code. Expects the same request id in header and envelope. */
function readAnswer({ statuses, text }: RawAnswer) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const requestId = /^x-request-id: (.+)$/im.exec(head)?.[1];
  const envelope = JSON.parse(body) as Envelope<unknown>;
  expect(envelope.error?.requestId).toBe(requestId);
  return { statuses, ...envelope, code: envelope.error?.code };
}

const TOO_LARGE = { statuses: [413], success: false, data: null, code: 'PAYLOAD_TOO_LARGE' };

describe('the limit of 100 header lines', () => {
  it.each(TARGETS)(
    'makes a request with more lines PAYLOAD_TOO_LARGE at %s',
    async (_realm, method, target) => {
      const lines = ['Host: x', 'Content-Length: 0', ...fillers(99)];
      const answer = readAnswer(await sendBytes(api.baseUrl, requestOf(method, target, lines)));
      expect(answer).toMatchObject(TOO_LARGE);
      expect(answer.error?.message).toContain('100 header lines');
    },
  );

  it('counts lines with the same name, and keeps the connection usable after the body', async () => {
    const lines = ['Host: x', 'Content-Length: 4', ...fillers(99).fill('Prefer: wait=1')];
    const { statuses } = await sendBytes(
      api.baseUrl,
      requestOf('POST', '/nothing', lines, 'body') + requestOf('GET', '/nothing', ['Host: x']),
      2,
    );
    expect(statuses).toEqual([413, 404]);
  });

  it('admits exactly 100 lines, and the last one is read', async () => {
    const lines = ['Host: x', ...fillers(98), 'X-Request-Id: the-last-of-100'];
    const { statuses, text } = await sendBytes(api.baseUrl, requestOf('GET', '/nothing', lines));
    expect(statuses).toEqual([404]);
    expect(text).toContain('the-last-of-100');
  });

  it('prevents a caller from displacing the address that a proxy appends', async () => {
    const { clientId, clientSecret } = api.client('alpha');
    const body = JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const requestToken = (count: number) =>
      sendBytes(
        api.baseUrl,
        requestOf(
          'POST',
          '/api/v1/oauth/token',
          [
            'Host: x',
            'Content-Type: application/json',
            `Content-Length: ${body.length}`,
            `X-Forwarded-For: ${anyAddress()}`,
            ...fillers(count),
            'X-Forwarded-For: 192.0.2.44',
          ],
          body,
        ),
      );
    expect((await requestToken(96)).statuses).toEqual([413]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => requestToken(95)));
    expect(answers.flatMap(({ statuses }) => statuses)).toEqual(answers.map(() => 200));
    expect((await requestToken(95)).statuses).toEqual([429]);
  });
});

describe('a request line and headers over 16 KB', () => {
  it.each([
    ['a long header', requestOf('GET', '/nothing', ['Host: x', `X: ${'x'.repeat(20_000)}`])],
    ['a long target', requestOf('GET', `/nothing?${'x'.repeat(20_000)}`, ['Host: x'])],
    ['many short headers', requestOf('GET', '/nothing', ['Host: x', ...fillers(2_000)])],
    ['a megabyte', requestOf('GET', '/nothing', ['Host: x', `X: ${'x'.repeat(1_048_576)}`])],
  ])('are PAYLOAD_TOO_LARGE in the envelope: %s', async (_what, bytes) => {
    const raw = await sendBytes(api.baseUrl, bytes);
    expect(readAnswer(raw)).toMatchObject({
      ...TOO_LARGE,
      error: { message: expect.stringContaining('16 KB') },
    });
    expect(raw.text).toContain('Connection: close');
  });

  it('close the connection of a request that is being answered if they are in a trailer', async () => {
    const { statuses } = await sendBytes(
      api.baseUrl,
      requestOf(
        'POST',
        '/api/v1/oauth/token',
        ['Host: x', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
        `0\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      ),
    );
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  });

  it('close the connection even if the client never closes it', async () => {
    const { hostname, port } = new URL(api.baseUrl);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.resume();
    socket.write(requestOf('GET', '/nothing', ['Host: x', `X: ${'x'.repeat(20_000)}`]));
    const writing = setInterval(() => socket.writable && socket.write('x'), 50);
    await closed;
    clearInterval(writing);
  });
});

it('a trailer is not a header: an X-Forwarded-For in a trailer is ignored', async () => {
  const signIn = () =>
    sendBytes(
      api.baseUrl,
      requestOf(
        'POST',
        '/auth/v1/login',
        ['Host: x', 'X-Forwarded-For: 192.0.2.45', 'Transfer-Encoding: chunked'],
        `0\r\nX-Forwarded-For: not an address\r\n\r\n`,
      ),
    );
  expect((await signIn()).text).toContain('CSRF_FAILED');
});
