import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import helmet from 'helmet';
import { makeDocsRouter } from '../../../api/docs/docs-router.ts';
import { successEnvelope } from '../../../shared/contract/machine/envelope.ts';
import { makeOpenApi } from '../../../shared/contract/openapi/document.ts';
import { CREDENTIALS, startFakeRegistry } from '../client/fake-registry.ts';

let server: Server;
let baseUrl: string;

beforeAll(async () => {
  const app = express().use(helmet()).use('/api/v1', makeDocsRouter());
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** The text of an element in the form that a browser shows. */
function textOf(html: string, id: string): string {
  const [, text = ''] = new RegExp(`<pre id="${id}">([\\s\\S]*?)</pre>`).exec(html) ?? [];
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Reads the whole answer, so that its connection closes with the server. */
async function statusOf(url: URL | string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

async function readPage(): Promise<string> {
  const response = await fetch(`${baseUrl}/docs`);
  expect(response.status).toBe(200);
  return response.text();
}

describe('the reference', () => {
  it('serves the description that the contract computes', async () => {
    const response = await fetch(`${baseUrl}/openapi.json`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(makeOpenApi())));
  });

  it('loads files only from this server', async () => {
    const html = await readPage();
    const links = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, link = '']) => link);
    expect(links).toContain('docs/swagger-ui-bundle.js');
    for (const link of links) {
      const url = new URL(link, `${baseUrl}/docs`);
      expect(url.href.startsWith(baseUrl)).toBe(true);
      expect({ link, status: await statusOf(url) }).toEqual({ link, status: 200 });
    }
  });

  it('has no inline script or style, so that it works under a strict policy', async () => {
    const html = await readPage();
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  it('has one address, and no other files of its packages are served', async () => {
    for (const path of [
      '',
      'index.html',
      'package.json',
      'reference.html',
      'sign-request.d.ts',
      '..%2fdocs-router.ts',
    ]) {
      expect({ path, status: await statusOf(`${baseUrl}/docs/${path}`) }).toEqual({
        path,
        status: 404,
      });
    }
  });

  it('sends no credentials of the browser, which would open its password dialog at 401', async () => {
    const script = await (await fetch(`${baseUrl}/docs/reference.js`)).text();
    const requests = script.match(/\bfetch\(|requestInterceptor: addSignature/g) ?? [];
    expect(requests).toHaveLength(2);
    expect(script.match(/credentials: 'omit'|request\.credentials = 'omit'/g)).toHaveLength(2);
  });

  it('shows the headers of answers once instead of for each answer', async () => {
    const html = await readPage();
    const names = Object.values(makeOpenApi().paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ responses }) => Object.values(responses as Record<string, { headers: object }>))
      .flatMap(({ headers }) => Object.keys(headers));
    const [, table = ''] = /<section id="headers"([\s\S]*?)<\/section>/.exec(html) ?? [];
    const shown = [...table.matchAll(/<tr><td><code>([\w-]+)</g)].map(([, name = '']) => name);
    expect(new Set([...shown, 'Cache-Control'])).toEqual(new Set([...names, 'Cache-Control']));
    const script = await (await fetch(`${baseUrl}/docs/reference.js`)).text();
    expect(script).toContain('wrapComponents: { headers:');
  });

  it('has an example for each path parameter and for a search, so that "Try it out" works', () => {
    const parameters = Object.values(makeOpenApi().paths)
      .flatMap((item) => Object.values(item))
      .flatMap((operation) => (operation['parameters'] ?? []) as Record<string, unknown>[]);
    const inPaths = parameters.filter((one) => one['in'] === 'path');
    expect(inPaths.length).toBeGreaterThan(10);
    expect(inPaths.filter(({ example }) => example === undefined)).toEqual([]);
    expect(parameters.find(({ name }) => name === 'plateNumber')).toHaveProperty('example');
  });

  it('explains the signature with a correct example', async () => {
    const html = await readPage();
    const { cases } = JSON.parse(
      readFileSync(join(__dirname, '../vectors/signature.json'), 'utf8'),
    );
    const vector = cases.find(({ name }: { name: string }) => name === 'POST JSON');
    expect(textOf(html, 'canonical-string')).toBe(
      [vector.method, vector.target, vector.timestamp, vector.nonce, vector.bodyDigest].join('\n'),
    );
    expect(html).toContain(vector.signature);
    expect(html).toContain(vector.signingSecret);
  });

  it('shows a Node.js example that signs correctly', async () => {
    const registry = await startFakeRegistry({
      answer: ({ isSigned }) => ({ status: 200, body: successEnvelope({ isSigned }) }),
    });
    try {
      const source = textOf(await readPage(), 'example-node').replace(
        'https://registry.example.org',
        registry.url,
      );
      const { clientId, clientSecret, signingSecret } = CREDENTIALS;
      const example = spawn(process.execPath, ['--input-type=module', '-'], {
        env: {
          ...process.env,
          CLIENT_ID: clientId,
          CLIENT_SECRET: clientSecret,
          SIGNING_SECRET: signingSecret,
        },
      });
      let printed = '';
      example.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      example.stdin.end(source);
      const [exitCode] = await once(example, 'close');
      expect({ exitCode, received: registry.received }).toMatchObject({
        exitCode: 0,
        received: [{ isSigned: true }],
      });
      expect(printed).toContain('isSigned: true');
    } finally {
      await registry.close();
    }
  });
});
