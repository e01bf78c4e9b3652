import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import type { Collection, CollectionFolder, CollectionRequest } from './collection.ts';

export const BRUNO_SCRIPT = join(findProjectRoot(), 'ops/collections/scripts/sign-bruno.js');
export const BRUNO_ENVIRONMENT = 'registry';

/** The files of a Bruno collection by their path in its folder. */
export function makeBrunoFiles(collection: Collection): Map<string, string> {
  const { name, folders, variables } = collection;
  const { clientSecret: _, signingSecret: __, ...others } = variables;
  const manifest = { version: '1', name, type: 'collection' };
  return new Map([
    ['bruno.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['collection.bru', collectionFile(collection)],
    [
      `environments/${BRUNO_ENVIRONMENT}.bru`,
      `${dictionary('vars', others)}vars:secret [\n  clientSecret,\n  signingSecret\n]\n`,
    ],
    ...folders.flatMap((folder, index) => folderFiles(folder, index + 1)),
  ]);
}

function collectionFile({ description }: Collection): string {
  return [
    textBlock('script:pre-request', readFileSync(BRUNO_SCRIPT, 'utf8').trimEnd()),
    textBlock(
      'tests',
      `test('is not refused for its token or its signature', () => {
  expect(res.getStatus()).not.to.equal(401);
});`,
    ),
    textBlock('docs', description),
  ].join('');
}

function folderFiles({ name, requests }: CollectionFolder, seq: number): [string, string][] {
  return [
    [`${name}/folder.bru`, dictionary('meta', { name, seq: String(seq) })],
    ...requests.map((request, index): [string, string] => [
      `${name}/${request.endpoint}.bru`,
      requestFile(request, index + 1),
    ]),
  ];
}

function requestFile(request: CollectionRequest, seq: number): string {
  const { name, description, method, path, query, headers, body, captures } = request;
  const enabled = query.filter(({ isEnabled }) => isEnabled);
  const search = enabled.map((one) => `${one.name}=${one.value}`).join('&');
  const parameters = query.map((one) => [`${one.isEnabled ? '' : '~'}${one.name}`, one.value]);
  const captured = Object.entries(captures).map(
    ([variable, member]) =>
      `if (res.body?.data?.${member}) bru.setVar('${variable}', res.body.data.${member});`,
  );
  return [
    dictionary('meta', { name, type: 'http', seq: String(seq) }),
    dictionary(method.toLowerCase(), {
      url: `{{baseUrl}}${path}${search === '' ? '' : `?${search}`}`,
      body: body === undefined ? 'none' : 'json',
      auth: 'none',
    }),
    parameters.length > 0 ? dictionary('params:query', Object.fromEntries(parameters)) : '',
    dictionary('headers', headers),
    body === undefined ? '' : textBlock('body:json', body),
    captured.length > 0 ? textBlock('script:post-response', captured.join('\n')) : '',
    // The script signs the target as it is written.
    dictionary('settings', { encodeUrl: 'false' }),
    textBlock('docs', description),
  ].join('');
}

function dictionary(name: string, entries: Readonly<Record<string, string>>): string {
  const lines = Object.entries(entries).map(([key, value]) => `  ${key}: ${value}\n`);
  return lines.length === 0 ? '' : `${name} {\n${lines.join('')}}\n\n`;
}

function textBlock(name: string, text: string): string {
  return `${name} {\n${text.replaceAll(/^(?=.)/gm, '  ')}\n}\n\n`;
}
