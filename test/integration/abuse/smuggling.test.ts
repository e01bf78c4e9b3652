import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';
import { captureLog } from '../../env/capture-log.ts';
import { sendBytes } from '../../faults/abuse/raw-socket.ts';

const HIDDEN = 'GET /health/live?hidden HTTP/1.1\r\nHost: x\r\n\r\n';
const POST = 'POST /api/v1/ppai/policies HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
const CHUNK = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n`;

const { logger, lines } = captureLog('info');
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers, logger });
});
afterAll(() => api.stop());
beforeEach(() => {
  lines.length = 0;
});

/** Whether the hidden request was taken for one: its route would be in the log. */
function isHiddenSeen(): boolean {
  return lines.some((line) => line.includes('"/health/live"'));
}

describe('a request hidden in what may be read in two ways is never answered', () => {
  it.each<[string, string]>([
    [
      'Content-Length before Transfer-Encoding',
      `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'Transfer-Encoding before Content-Length',
      `${POST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'two encodings',
      `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    ['an encoding that is none', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    [
      'chunked that is not last',
      `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    ['a space before the colon', `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`],
    [
      'a vertical tab before the encoding',
      `${POST}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    [
      'an encoding on a folded line',
      `${POST}Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
    ],
    ['two lengths', `${POST}Content-Length: 0\r\nContent-Length: 5\r\n\r\n${HIDDEN}`],
    ['the same length twice', `${POST}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${HIDDEN}`],
    ['a list of lengths', `${POST}Content-Length: 0, 0\r\n\r\n${HIDDEN}`],
    ['a negative length', `${POST}Content-Length: -1\r\n\r\n${HIDDEN}`],
    ['a length with a sign', `${POST}Content-Length: +0\r\n\r\n${HIDDEN}`],
    ['a length in hex', `${POST}Content-Length: 0x0\r\n\r\n${HIDDEN}`],
    ['a length with an exponent', `${POST}Content-Length: 0e1\r\n\r\n${HIDDEN}`],
    ['a length beyond 64 bits', `${POST}Content-Length: 18446744073709551616\r\n\r\n${HIDDEN}`],
    ['a header without a colon', `${POST}Content-Length 0\r\n\r\n${HIDDEN}`],
    [
      'a bare line feed after a header',
      `${POST.replace('Host: x\r\n', 'Host: x\nX: y\r\n')}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ],
    ['a bare carriage return in a header', `${POST}X: a\rContent-Length: 0\r\n\r\n${HIDDEN}`],
    ['a NUL in a header', `${POST}X: a\0b\r\nContent-Length: 0\r\n\r\n${HIDDEN}`],
    ['a chunk of negative size', `${POST}Transfer-Encoding: chunked\r\n\r\n-1\r\n${HIDDEN}`],
    [
      'a chunk size in other digits',
      `${POST}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${HIDDEN}`,
    ],
    [
      'a chunk size beyond 64 bits',
      `${POST}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n${HIDDEN}`,
    ],
    [
      'a chunk that is longer than it says',
      `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\nab0\r\n\r\n${HIDDEN}`,
    ],
    [
      'a bare line feed after a chunk size',
      `${POST}Transfer-Encoding: chunked\r\n\r\n0\n\n${HIDDEN}`,
    ],
    [
      'a line feed in a chunk extension',
      `${POST}Transfer-Encoding: chunked\r\n\r\n0;a\n\r\n${HIDDEN}`,
    ],
    ['headers of 20 KB', `${POST}X: ${'x'.repeat(20_000)}\r\nContent-Length: 0\r\n\r\n${HIDDEN}`],
    ['a line that is no request line', `\0${HIDDEN}`],
    ['a version that is none', `GET / HTTP/1.1.1\r\nHost: x\r\n\r\n${HIDDEN}`],
    ['a body by its length', `${POST}Content-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`],
    [
      'a body of a GET',
      `GET /api/v1/ppai/policies/x HTTP/1.1\r\nHost: x\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ],
    ['a chunked body', `${POST}Transfer-Encoding: chunked\r\n\r\n${CHUNK}0\r\n\r\n`],
    [
      'a chunk extension',
      `${POST}Transfer-Encoding: chunked\r\n\r\n${HIDDEN.length.toString(16)};a="b;c"\r\n${HIDDEN}\r\n0\r\n\r\n`,
    ],
    [
      'a trailer',
      `${POST}Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 0\r\nX: ${HIDDEN.replaceAll('\r\n', ' ')}\r\n\r\n`,
    ],
    [
      'an upgrade to HTTP/2',
      `${POST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ],
    ['a tunnel', `CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n${HIDDEN}`],
    [
      'an expectation that is refused',
      `${POST}Expect: 100-continue\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
    ],
  ])('%s', async (_what, bytes) => {
    const { statuses } = await sendBytes(api.baseUrl, bytes);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect(isHiddenSeen()).toBe(false);
  });
});

it('requests that follow one another on a connection are answered one by one, in their order', async () => {
  const other = 'GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n';
  const { statuses } = await sendBytes(api.baseUrl, HIDDEN + other + HIDDEN, 3);
  expect(statuses).toEqual([200, 404, 200]);
});

it('a target in absolute form reaches the same gate, whatever host it names', async () => {
  const { statuses, text } = await sendBytes(
    api.baseUrl,
    'GET http://elsewhere.example/api/v1/ppai/policies/x HTTP/1.1\r\nHost: x\r\n\r\n',
  );
  expect(statuses).toEqual([401]);
  expect(text).toContain('INVALID_TOKEN');
});
