import { gzipSync } from 'node:zlib';
import { JSON_TYPE, useProbeApi, VALID_BODY } from '../../../env/api/probe-api.ts';

const { api, probe, transmit, expectFindings } = useProbeApi();

describe('the size of a body', () => {
  const padded = (bytes: number) => {
    const empty = JSON.stringify({ ...VALID_BODY, pad: '' });
    return JSON.stringify({ ...VALID_BODY, pad: 'p'.repeat(bytes - empty.length) });
  };

  it('may be 1 MB', async () => {
    expect((await transmit(padded(1_048_576))).status).toBe(200);
  });

  it.each([[1_048_577], [1_100_000], [5_000_000]])('is refused at %i bytes', async (bytes) => {
    const { status, envelope } = await transmit(padded(bytes));
    expect({ status, code: envelope.error?.code }).toEqual({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
    });
    expect(probe.seen()).toEqual([]);
  });

  it('is also limited without Content-Length', async () => {
    const answer = await transmit(padded(1_100_000), JSON_TYPE, { 'transfer-encoding': 'chunked' });
    expect(answer.envelope.error?.code).toBe('PAYLOAD_TOO_LARGE');
  });
});

describe('the type of a body', () => {
  it.each([
    ['missing', ''],
    ['a form', 'application/x-www-form-urlencoded'],
    ['text', 'text/plain'],
    ['XML', 'application/xml'],
    ['a file upload', 'multipart/form-data; boundary=x'],
    ['JSON in another character set', 'application/json; charset=latin1'],
    ['JSON in UTF-16', 'application/json; charset=utf-16'],
    ['another JSON', 'application/merge-patch+json'],
    ['nonsense', ';;;'],
  ])('is refused when it is %s', async (_what, contentType) => {
    expectFindings(await transmit(VALID_BODY, contentType), [null]);
  });

  it.each([
    ['application/json'],
    ['Application/JSON; charset=UTF-8'],
    ['application/json;charset="utf-8"'],
  ])('may be %s', async (contentType) => {
    expect((await transmit(VALID_BODY, contentType)).status).toBe(200);
  });

  it.each([['gzip'], ['deflate'], ['br'], ['gzip, identity'], ['unheard-of']])(
    'is refused with the content encoding %s',
    async (encoding) => {
      expectFindings(
        await transmit(gzipSync(JSON.stringify(VALID_BODY)), JSON_TYPE, {
          'content-encoding': encoding,
        }),
        [null],
      );
    },
  );

  it('may have the content encoding identity', async () => {
    expect((await transmit(VALID_BODY, JSON_TYPE, { 'content-encoding': 'identity' })).status).toBe(
      200,
    );
  });
});

describe('path and query', () => {
  const get = (path: string) => api().send('alpha', { path });

  it.each([
    ['a page of 0', '?policyNumber=x&page=0', 'page'],
    ['a page that is no number', '?policyNumber=x&page=one', 'page'],
    ['a page size of 201', '?policyNumber=x&pageSize=201', 'pageSize'],
    ['an unknown status', '?policyNumber=x&status=SOLD', 'status'],
    ['a policy number of 65 characters', `?policyNumber=${'p'.repeat(65)}`, 'policyNumber'],
    ['a parameter given twice', '?policyNumber=x&policyNumber=y', 'policyNumber'],
    ['a NUL', '?policyNumber=%00', 'policyNumber'],
    ['a NUL in a name', '?policy%00Number=x', '(unprintable)'],
  ])('are refused with %s', async (_what, query, field) => {
    expectFindings(await get(`/ppai/policies/search${query}`), [field]);
  });

  it('are accepted if valid, with parsed numbers and default values', async () => {
    expect((await get('/ppai/policies/search?plateNumber=AB%20C+1&page=2')).status).toBe(200);
    expect(probe.seen()[0]?.query).toEqual({ plateNumber: 'AB C 1', page: 2, pageSize: 25 });
  });

  it('may contain percent signs that begin no escape', async () => {
    expect((await get('/ppai/policies/search?plateNumber=%zz%')).status).toBe(200);
    expect(probe.seen()[0]?.query).toMatchObject({ plateNumber: '%zz%' });
  });

  it('are refused with an invalid date', async () => {
    expectFindings(await get('/ppai/vehicles/ABC123/coverage?asOf=2026-02-30'), ['asOf']);
    expectFindings(await get('/ppai/vehicles/ABC123/coverage?asOf=yesterday'), ['asOf']);
  });

  it.each([
    ['a broken escape', '/ppai/policies/%zz'],
    ['bytes that are not UTF-8', '/ppai/policies/%ff'],
    ['a NUL', '/ppai/policies/a%00b'],
    ['65 characters', `/ppai/policies/${'p'.repeat(65)}`],
    ['nothing', '/ppai/transmissions/'],
  ])('are NOT_FOUND with %s in the path', async (_what, path) => {
    const { status, envelope } = await get(path);
    expect({ status, code: envelope.error?.code }).toEqual({ status: 404, code: 'NOT_FOUND' });
    expect(probe.seen()).toEqual([]);
  });

  it('are decoded once', async () => {
    expect((await get('/ppai/transmissions/a%2Fb%2520c')).status).toBe(200);
    expect(probe.seen()[0]?.params).toEqual({ transmissionReferenceOrExternalId: 'a/b%20c' });
  });
});
