import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectRoot } from '../../shared/platform/project-root.ts';
import type { Collection, CollectionRequest } from './collection.ts';

export const POSTMAN_SCRIPT = join(findProjectRoot(), 'ops/collections/scripts/sign-postman.js');
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** A collection of Postman's format 2.1. */
export function makePostmanCollection({ name, description, folders, variables }: Collection) {
  return {
    info: { name, description, schema: SCHEMA },
    event: [
      scriptOf('prerequest', readFileSync(POSTMAN_SCRIPT, 'utf8')),
      scriptOf(
        'test',
        `pm.test('is not refused for its token or its signature', () => {
  pm.expect(pm.response.code).not.to.equal(401);
});`,
      ),
    ],
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: folders.map((folder) => ({ name: folder.name, item: folder.requests.map(itemOf) })),
  };
}

function itemOf(request: CollectionRequest) {
  const { name, description, method, path, query, headers, body, captures } = request;
  const enabled = query.filter(({ isEnabled }) => isEnabled);
  const search = enabled.map((one) => `${one.name}=${one.value}`).join('&');
  const captured = Object.entries(captures).map(
    ([variable, member]) =>
      `if (answer.data?.${member}) pm.collectionVariables.set('${variable}', answer.data.${member});`,
  );
  return {
    name,
    ...(captured.length > 0 && {
      event: [scriptOf('test', ['const answer = pm.response.json();', ...captured].join('\n'))],
    }),
    request: {
      method,
      description,
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      url: {
        raw: `{{baseUrl}}${path}${search === '' ? '' : `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        ...(query.length > 0 && {
          query: query.map((one) => ({
            key: one.name,
            value: one.value,
            ...(!one.isEnabled && { disabled: true }),
          })),
        }),
      },
      ...(body !== undefined && {
        body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      }),
    },
  };
}

function scriptOf(listen: 'prerequest' | 'test', text: string) {
  return { listen, script: { type: 'text/javascript', exec: text.trimEnd().split('\n') } };
}
