import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';

const PAGE =
  '<!doctype html><meta name="zone" content="%REGISTRY_TIME_ZONE%"><meta name="is" content="%REGISTRY_ENVIRONMENT%">';
const SCRIPT = 'console-script-of-this-release';

let folder: string;
let api: TestApi;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  api = await startTestApi({
    handlers: makeProbe().handlers,
    consoleFolder: join(folder, 'built'),
  });
});
afterAll(async () => {
  await api.stop();
  rmSync(folder, { recursive: true });
});

function build(): void {
  const assets = join(folder, 'built', 'assets');
  mkdirSync(assets, { recursive: true });
  writeFileSync(join(folder, 'built', 'index.html'), PAGE);
  writeFileSync(join(assets, 'main-a1B2_c-3.js'), SCRIPT);
  writeFileSync(join(assets, 'main-a1B2_c-3.js.br'), 'compressed');
}

const fetchPath = (path: string, init: RequestInit = {}) => fetch(`${api.baseUrl}${path}`, init);

describe('a registry without a built console', () => {
  it('answers 503 in plain words, and everything else as before', async () => {
    const answer = await fetchPath('/console/flags');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('The console is not built here.');
    expect((await fetchPath('/health/live')).status).toBe(200);
    expect((await fetchPath('/console/assets/main-a1B2_c-3.js')).status).toBe(404);
  });
});

describe('the console', () => {
  beforeAll(build);

  it.each(['/console', '/console/', '/console/flags', '/console/flags/1?status=OPEN'])(
    'answers %s with its page, which names zone and environment and is revalidated each time',
    async (path) => {
      const answer = await fetchPath(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toBe(
        '<!doctype html><meta name="zone" content="Asia/Manila"><meta name="is" content="production">',
      );
    },
  );

  it('sends a policy that allows only its own files, no inline script and no frame', async () => {
    for (const path of ['/console', '/console/assets/main-a1B2_c-3.js']) {
      const policy = (await fetchPath(path)).headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toContain('unsafe');
    }
  });

  it('sends assets that never change, compressed where the browser accepts it', async () => {
    const path = '/console/assets/main-a1B2_c-3.js';
    const plain = await fetchPath(path, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.status).toBe(200);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
    expect(await plain.text()).toBe(SCRIPT);
    const head = await fetchPath(path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-encoding')).toBe('br');
    expect(head.headers.get('content-length')).toBe(String('compressed'.length));
  });

  it.each([
    '/console/assets/main-old.js',
    '/console/assets/',
    '/console/assets/..%2findex.html',
    '/console/assets/main-a1B2_c-3.js.br',
    '/console/assets/deeper/main-a1B2_c-3.js',
  ])('answers %s with 404 and never with the page', async (path) => {
    const answer = await fetchPath(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(((await answer.json()) as { error: { code: string } }).error.code).toBe('NOT_FOUND');
  });

  it('answers HEAD like GET, and no other method', async () => {
    expect((await fetchPath('/console', { method: 'HEAD' })).status).toBe(200);
    expect((await fetchPath('/console', { method: 'POST' })).status).toBe(404);
    expect((await fetchPath('/consoles')).status).toBe(404);
  });

  it('is linked from the page at the root, which has no broken links', async () => {
    const page = await fetchPath('/');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const text = await page.text();
    const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => `/${link}`);
    expect(links).toEqual(expect.arrayContaining(['/console', '/api/v1/docs']));
    for (const path of links) expect([path, (await fetchPath(path)).status]).toEqual([path, 200]);
  });
});
