import { makeBrunoFiles } from '../../../ops/collections/bruno.ts';
import { readCollection } from '../../../ops/collections/collection.ts';
import { makePostmanCollection } from '../../../ops/collections/postman.ts';
import { ENDPOINTS } from '../../../shared/contract/machine/endpoints.ts';

const collection = readCollection();
const requests = collection.folders.flatMap((folder) => folder.requests);
const endpoints = Object.entries(ENDPOINTS);

describe('the collections', () => {
  it('have one request for each endpoint', () => {
    expect(requests.map(({ endpoint }) => endpoint).sort()).toEqual(
      endpoints.map(([name]) => name).sort(),
    );
  });

  it('give a variable for each parameter of a path', () => {
    const used = requests.flatMap(({ path }) =>
      [...path.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name),
    );
    expect(new Set(used).size).toBeGreaterThan(3);
    expect(used.filter((name) => !collection.variables[name])).toEqual([]);
  });

  it('have a body for each POST', () => {
    for (const { method, body } of requests) {
      expect(body !== undefined).toBe(method === 'POST');
      if (body !== undefined) expect(JSON.parse(body)).not.toEqual({});
    }
  });

  it('mark the requests that are signed, and contain no secret', () => {
    const signed = requests.filter(({ headers }) => 'X-PPAI-Client-Id' in headers);
    expect(signed.map(({ endpoint }) => endpoint).sort()).toEqual(
      endpoints
        .filter(([, { authentication }]) => authentication === 'signed')
        .map(([name]) => name)
        .sort(),
    );
    expect(collection.variables).toMatchObject({ clientSecret: '', signingSecret: '' });
  });

  it('for Bruno has a file for each request', () => {
    const files = makeBrunoFiles(collection);
    for (const { name, requests: inFolder } of collection.folders) {
      for (const { endpoint, method, path } of inFolder) {
        const file = files.get(`${name}/${endpoint}.bru`);
        expect(file).toContain(`\n${method.toLowerCase()} {\n  url: {{baseUrl}}${path}`);
      }
    }
  });

  it('for Postman has an item for each request', () => {
    const items = makePostmanCollection(collection).item.flatMap(({ item }) => item);
    expect(items.map(({ name }) => name)).toEqual(requests.map(({ name }) => name));
    expect(items.map(({ request }) => request.url.raw.split('?')[0])).toEqual(
      requests.map(({ path }) => `{{baseUrl}}${path}`),
    );
  });
});
