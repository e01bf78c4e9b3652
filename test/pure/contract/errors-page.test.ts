import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { makeDocsRouter } from '../../../api/docs/docs-router.ts';
import { CODE_TABLES } from '../../../shared/contract/error-docs.ts';

let server: Server;
let address: string;
let html: string;

beforeAll(async () => {
  server = express().use('/api/v1', makeDocsRouter()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/docs/errors`;
  const response = await fetch(address);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  html = await response.text();
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** The rows of the page's tables in the form that a browser shows. */
function rowsOf(page: string): string[][] {
  return [...page.matchAll(/<tr id="[^"]+">(.*)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) =>
      cell
        .replaceAll(/<\/?code>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ),
  );
}

describe('the page of errors', () => {
  it('shows every code with its cause and its remedy', () => {
    const expected = CODE_TABLES.flatMap(({ rows }) => rows);
    expect(rowsOf(html)).toEqual(
      expected.map((cells) => cells.map((cell) => cell.replaceAll('`', ''))),
    );
  });

  it('has a unique address for each code', () => {
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toContain('errors-NONCE_REUSED');
    expect(ids).toContain('details-REFERENCE_NO_MATCH');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has only valid links, and the reference links to it', async () => {
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toContain('../docs');
    for (const link of links) {
      const response = await fetch(new URL(link, address));
      await response.arrayBuffer();
      expect({ link, status: response.status }).toEqual({ link, status: 200 });
    }
    const reference = await fetch(new URL('../docs', address));
    expect(await reference.text()).toContain('href="docs/errors"');
  });

  it('has no inline script or style, so that it works under a strict policy', () => {
    expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  });
});
