import { API_BASE, ENDPOINTS, type Endpoint } from '../../../shared/contract/machine/endpoints.ts';
import type { StaffEndpoint } from '../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../shared/contract/staff/endpoints.ts';
import { startTestApi, type TestApi } from '../../env/api/api-env.ts';
import { makeProbe } from '../../env/api/probe-handlers.ts';
import type { TestAnswer } from '../../env/api/signed-request.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ handlers: makeProbe().handlers });
});
afterAll(() => api.stop());

/** Every answer has these; they are shown once. */
const OF_ALL = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-ppai-environment',
  'x-request-id',
  'x-xss-protection',
] as const;
const OF_THE_CONNECTION = new Set(['connection', 'date', 'transfer-encoding', 'content-length']);
const VARYING = new Set(['etag', 'last-modified', 'ratelimit', 'retry-after']);

const targets: readonly (readonly [method: string, target: string])[] = [
  ...Object.values<Endpoint>(ENDPOINTS).map(
    ({ method, path }) => [method, API_BASE + path.replace(/\{\w+\}/g, 'x')] as const,
  ),
  ...Object.values<StaffEndpoint>(STAFF_ENDPOINTS).map(
    ({ method, path }) => [method, path.replace(/\{\w+\}/g, 'x')] as const,
  ),
  ...[
    '/health/live',
    '/health/ready',
    '/health/processing',
    '/metrics',
    '/',
    '/nothing',
    '/api/v1/nothing',
  ].map((target) => ['GET', target] as const),
  ['DELETE', '/api/v1/ppai/policies'],
  ['OPTIONS', '/api/v1/ppai/policies'],
  ['HEAD', '/admin/v1/users'],
  ['TRACE', '/health/live'],
  ['GET', '/api/v1/docs/reference.js'],
];

function ownHeaders({ headers }: TestAnswer): string[] {
  const common = new Set<string>(OF_ALL);
  return Object.entries(headers)
    .filter(([name]) => !common.has(name) && !OF_THE_CONNECTION.has(name))
    .map(([name, value]) => (VARYING.has(name) ? name : `${name}: ${value}`))
    .sort();
}

it('every route answers with the headers that protect its reader, and with no others than these', async () => {
  const shown: Record<string, string[]> = {};
  for (const [method, target] of targets) {
    const answer = await api.sendRaw({ method, target });
    expect({
      target,
      missing: OF_ALL.filter((name) => answer.headers[name] === undefined),
    }).toEqual({
      target,
      missing: [],
    });
    shown[`${method} ${target} ${answer.status}`] = ownHeaders(answer);
  }
  expect(shown).toMatchSnapshot();
});

it('what protects the reader is the same everywhere', async () => {
  const { headers } = await api.sendRaw({ method: 'GET', target: '/nothing' });
  const { 'x-request-id': _own, ...common } = Object.fromEntries(
    OF_ALL.map((name) => [name, headers[name]]),
  );
  expect(common).toMatchSnapshot();
});
