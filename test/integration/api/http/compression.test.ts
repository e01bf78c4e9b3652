import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { API_BASE } from '../../../../shared/contract/machine/endpoints.ts';
import { systemClock } from '../../../../shared/platform/clock.ts';
import { makeBody, makePlainVehicle } from '../../../env/api/bodies.ts';
import { type RawRequest, signRequest } from '../../../env/api/signed-request.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

let stack: Stack;
let record: string;
beforeAll(async () => {
  stack = await startStack();
  const vehicles = Array.from({ length: 20 }, () => makePlainVehicle());
  const { acknowledgment } = await stack.transmit('alpha', makeBody({ vehicles }));
  record = `/ppai/policies/${acknowledgment.registryReference}`;
});
afterAll(() => stack.stop());

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

/** Returns the bytes as received, not decompressed. */
function send({ method = 'GET', target, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${stack.baseUrl}${target}`, {
      method,
      agent: false,
      headers: headers as Record<string, string>,
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    sent.end(body);
  });
}

async function get(path: string, accepted: string | undefined): Promise<RawAnswer> {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  const token = await stack.tokenOf('alpha');
  return send(signRequest(stack.client('alpha'), token, { path, headers }, systemClock));
}

describe('compression (D39)', () => {
  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip;q=0.5, br', 'br', brotliDecompressSync],
    ['deflate, gzip', 'gzip', gunzipSync],
  ])(
    'of an answer over 1 KB follows Accept-Encoding: %s',
    async (accepted, encoding, decompress) => {
      const plain = await get(record, undefined);
      const answer = await get(record, accepted);
      expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
      expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(decompress(answer.bytes).toString()).toBe(plain.bytes.toString());
      expect(answer.headers['etag']).toBe(plain.headers['etag']);
    },
  );

  it.each([undefined, 'identity', 'deflate', 'gzip;q=0', 'zstd'])(
    'is omitted for Accept-Encoding: %s',
    async (accepted) => {
      const { status, headers, bytes } = await get(record, accepted);
      expect([status, headers['content-encoding']]).toEqual([200, undefined]);
      expect(JSON.parse(bytes.toString())).toMatchObject({ success: true });
    },
  );

  it('is announced by Vary even on answers that are not compressed, and on 304', async () => {
    const plain = await get(record, undefined);
    const short = await get('/ppai/policies/PPAI-2026-999999999', 'gzip');
    expect([short.status, short.headers['content-encoding']]).toEqual([404, undefined]);
    const token = await stack.tokenOf('alpha');
    const headers = { 'if-none-match': plain.headers['etag'], 'accept-encoding': 'gzip' };
    const same = await send(
      signRequest(stack.client('alpha'), token, { path: record, headers }, systemClock),
    );
    expect([same.status, same.bytes.length]).toEqual([304, 0]);
    for (const answer of [plain, short, same])
      expect(answer.headers['vary']).toBe('Accept-Encoding');
  });

  it('of a rejection over 1 KB keeps the envelope', async () => {
    const vehicles = Array.from({ length: 20 }, () => makePlainVehicle({ chassisNumber: null }));
    const body = JSON.stringify(makeBody({ vehicles }));
    const signed = signRequest(
      stack.client('alpha'),
      await stack.tokenOf('alpha'),
      {
        path: '/ppai/policies',
        body,
        headers: { 'accept-encoding': 'gzip', 'content-type': 'application/json' },
      },
      systemClock,
    );
    const { status, headers, bytes } = await send(signed);
    expect([status, headers['content-encoding']]).toEqual([422, 'gzip']);
    expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({
      error: { code: 'VALIDATION_FAILED' },
    });
  });

  it('applies to the OpenAPI document', async () => {
    const target = `${API_BASE}/openapi.json`;
    const { headers, bytes } = await send({ target, headers: { 'accept-encoding': 'gzip' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(bytes).toString()).toBe((await stack.sendRaw({ target })).text);
  });

  it('never applies to answers of the token endpoint and the staff realm, which hold secrets', async () => {
    const names = 'x'.repeat(2_000);
    const targets: RawRequest[] = [
      { method: 'POST', target: `${API_BASE}/oauth/token`, body: `{"grant_type":"${names}"}` },
      { method: 'POST', target: '/auth/v1/login', body: '{}' },
      { target: '/admin/v1/clients' },
    ];
    for (const target of targets) {
      const headers = { 'accept-encoding': 'gzip, br', 'content-type': 'application/json' };
      const answer = await send({ ...target, headers });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(answer.headers['vary'] ?? '').not.toContain('Accept-Encoding');
    }
  });
});
