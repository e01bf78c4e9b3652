import { type Answer, RawJson } from '../../../../api/http/respond.ts';
import { AppError } from '../../../../shared/contract/errors.ts';
import { makeFinding } from '../../../../shared/contract/findings.ts';
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

describe('an answer', () => {
  it("is an envelope around the handler's data, with its status and headers", async () => {
    answer = async () => ({
      status: 202,
      data: { status: 'RECEIVED' },
      headers: { Location: '/x', 'Retry-After': '3' },
    });
    const { status, headers, envelope } = await api.send('alpha', READ);
    expect(status).toBe(202);
    expect(envelope).toEqual({ success: true, data: { status: 'RECEIVED' }, error: null });
    expect(headers).toMatchObject({
      location: '/x',
      'retry-after': '3',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it('contains stored JSON unchanged', async () => {
    answer = async () => ({ status: 200, data: new RawJson('{"name":"Ñ",  "n":1.0}') });
    expect((await api.send('alpha', READ)).text).toBe(
      '{"success":true,"data":{"name":"Ñ",  "n":1.0},"error":null}',
    );
  });

  it('contains code, message, details and data of a rejection', async () => {
    const details = [makeFinding('REQUIRED', 'policy', 'Missing.')];
    answer = async () => {
      throw new AppError('VALIDATION_FAILED', 'internal reason', {
        details,
        data: { status: 'REJECTED' },
        headers: { 'X-More': '1' },
      });
    };
    const { status, headers, envelope, text } = await api.send('alpha', READ);
    expect(status).toBe(422);
    expect(headers['x-more']).toBe('1');
    expect(envelope).toEqual({
      success: false,
      data: { status: 'REJECTED' },
      error: {
        code: 'VALIDATION_FAILED',
        message: expect.any(String),
        details,
        requestId: headers['x-request-id'],
      },
    });
    expect(text).not.toContain('internal reason');
    expect(lines.join('')).toContain('internal reason');
  });

  it('reveals nothing about an internal fault but the request id; the log has the cause', async () => {
    answer = async () => {
      throw new TypeError('the database at 10.0.0.1 is gone');
    };
    const { status, envelope, text, headers } = await api.send('alpha', READ);
    expect(status).toBe(500);
    expect(envelope).toMatchObject({
      success: false,
      data: null,
      error: { code: 'INTERNAL_ERROR', requestId: headers['x-request-id'] },
    });
    expect(headers['retry-after']).toBe('5');
    expect(text).not.toMatch(/10\.0\.0\.1|TypeError|\.ts/);
    const logged = lines.map((line) => JSON.parse(line)).find((line) => line.err !== undefined);
    expect(logged).toMatchObject({
      requestId: headers['x-request-id'],
      err: { message: 'the database at 10.0.0.1 is gone' },
    });
  });
});

describe('the request id', () => {
  const idOf = async (id: string | undefined) => {
    const { headers } = await api.send('alpha', { ...READ, headers: { 'x-request-id': id } });
    return headers['x-request-id'];
  };

  it('is taken from the request, and passed to handler and log', async () => {
    expect(await idOf('My-Request.01:a_b')).toBe('My-Request.01:a_b');
    expect(probe.seen()[0]?.requestId).toBe('My-Request.01:a_b');
    expect(
      lines.filter((line) => line.includes('"requestId":"My-Request.01:a_b"')).length,
    ).toBeGreaterThan(0);
  });

  it.each([
    [undefined],
    ['short'],
    ['x'.repeat(101)],
    ['with a space'],
    ['<script>'],
    ['ümlaut-ümlaut'],
  ])('is a new one if the request has %j', async (id) => {
    expect(
      await idOf(id === undefined ? undefined : Buffer.from(id, 'utf8').toString('latin1')),
    ).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('an unknown route', () => {
  it.each([
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v2/ppai/policies'],
    ['GET', '/api'],
    ['DELETE', '/api/v1/ppai/policies/PPAI-2026-000000001'],
    ['PUT', '/api/v1/ppai/policies'],
    ['PATCH', '/api/v1/ppai/policies'],
    ['GET', '/api/v1/ppai/policies'],
    ['POST', '/api/v1/ppai/policies/search'],
    ['GET', '/api/v1/oauth/token'],
    ['OPTIONS', '/api/v1/ppai/policies'],
    ['TRACE', '/api/v1/ppai/policies'],
    ['POST', '/api/v1/ppai/policies/'],
    ['GET', '/api/v1/ppai//policies/search'],
    ['GET', '/API/v1/ppai/policies/search'],
    ['GET', '/api/v1/PPAI/policies/search'],
    ['GET', '/admin/v1/nothing'],
    ['POST', '/auth/v1/nothing'],
    ['GET', '/nothing'],
    ['POST', '/'],
    ['GET', '/favicon.ico'],
    ['GET', '//api/v1/openapi.json'],
    ['GET', '/api/v1/%zz'],
    ['GET', '/api/v1/../../etc/passwd'],
    ['GET', '*'],
  ])('is answered with NOT_FOUND in the envelope: %s %s', async (method, target) => {
    const { status, envelope, headers } = await api.sendRaw({ method, target });
    expect(status).toBe(404);
    expect(envelope).toEqual({
      success: false,
      data: null,
      error: { code: 'NOT_FOUND', message: expect.any(String), requestId: headers['x-request-id'] },
    });
  });

  it('is answered to HEAD with the status and no body', async () => {
    const { status, text } = await api.sendRaw({
      method: 'HEAD',
      target: '/api/v1/ppai/policies/search',
    });
    expect({ status, text }).toEqual({ status: 404, text: '' });
  });
});

describe('the public documents', () => {
  it.each([
    '/',
    '/api/v1/docs',
    '/api/v1/docs/errors',
    '/api/v1/openapi.json',
    '/api/v1/docs/reference.css',
  ])('answer HEAD like GET, without a body: %s', async (target) => {
    const page = await api.sendRaw({ target });
    const head = await api.sendRaw({ method: 'HEAD', target });
    expect([page.status, head.status, head.text]).toEqual([200, 200, '']);
    for (const name of ['content-type', 'content-length', 'etag'])
      expect(head.headers[name]).toBe(page.headers[name]);
  });

  it('load their files over plain HTTP as well', async () => {
    const { headers } = await api.sendRaw({ target: '/api/v1/docs' });
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  });

  it('are NOT_FOUND with a trailing slash', async () => {
    const { status, envelope } = await api.sendRaw({ target: '/api/v1/docs/' });
    expect([status, envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('need no authentication', async () => {
    const description = await api.sendRaw({ target: '/api/v1/openapi.json' });
    expect(description.status).toBe(200);
    expect(description.envelope).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
    const page = await api.sendRaw({ target: '/api/v1/docs' });
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
  });
});

describe('the log', () => {
  it('has route, status and client of each request, and nothing from path, query, headers or body', async () => {
    await api.send('alpha', {
      path: '/ppai/transmissions/juan@example.org?secret=0917',
      headers: { 'x-custom': 'custom-value' },
    });
    await api.send('alpha', { path: '/ppai/policies', body: '{"operator":{"tin":"123-456-789"' });
    await api.sendRaw({ target: '/api/v1/juan@example.org' });
    const text = lines.join('');
    expect(text).not.toMatch(/juan|0917|custom-value|123-456-789/);
    const answered = lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'request answered');
    expect(answered).toEqual([
      expect.objectContaining({
        method: 'GET',
        route: '/ppai/transmissions/:transmissionReferenceOrExternalId',
        status: 422,
        clientId: api.client('alpha').clientId,
        requestId: expect.any(String),
        tookMs: expect.any(Number),
      }),
      expect.objectContaining({ method: 'POST', route: '/ppai/policies', status: 422 }),
      expect.objectContaining({ method: 'GET', route: 'unmatched', status: 404 }),
    ]);
  });
});

describe('preferences', () => {
  it('reach the handler from several headers as from one', async () => {
    await api.send('alpha', { ...READ, headers: { prefer: ['foo=1', 'wait=3'] } });
    expect(probe.seen()[0]?.prefer).toEqual({ respondAsync: false, waitSeconds: 3 });
  });

  it('are ignored by an endpoint that does not support them', async () => {
    await api.send('alpha', {
      path: '/ppai/policies/PPAI-2026-000000001',
      headers: { prefer: 'wait=3' },
    });
    expect(probe.seen()[0]?.prefer).toEqual({ respondAsync: false, waitSeconds: undefined });
  });
});
