import {
  API_BASE,
  ENDPOINTS,
  type Endpoint,
} from '../../../../shared/contract/machine/endpoints.ts';
import type { StaffEndpoint } from '../../../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS } from '../../../../shared/contract/staff/endpoints.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { makeBrowser, type StaffBrowser, signInAs } from '../../../env/staff/staff.ts';
import { checkAnswer } from '../../../pure/contract/answer-matcher.ts';

let stack: Stack;
let admin: StaffBrowser;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
  admin = await signInAs(stack, 'ADMINISTRATOR');
});
afterAll(() => stack.stop());

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const unknown = (field: string) =>
  expect.objectContaining({ level: 2, severity: 'ERROR', code: 'UNKNOWN_FIELD', field });

const signed = Object.values<Endpoint>(ENDPOINTS).filter(
  ({ authentication }) => authentication === 'signed',
);
const open = Object.values<Endpoint>(ENDPOINTS).filter(
  ({ authentication }) => authentication === 'public',
);
const staff = Object.values<StaffEndpoint>(STAFF_ENDPOINTS).filter(
  ({ authentication }) => authentication === 'session',
);
const pathWith = (path: string, name: string) =>
  path.replace(/\{(?:to)?[vV]ersion\}/, '1').replaceAll(/\{\w+\}/g, name);

describe('an unknown query parameter (D47)', () => {
  it.each(signed.map(({ method, path }) => [method, pathWith(path, 'PPAI-2026-000000001')]))(
    'is refused, not ignored: %s %s',
    async (method, path) => {
      const body = method === 'POST' ? { body: makeBody() } : {};
      const { status, envelope } = await stack.send('alpha', {
        method,
        path: `${path}?plateNumber=A1&dryRun=true&a%20b=1`,
        ...body,
      });
      expect([status, envelope.error?.code, envelope.data]).toEqual([
        422,
        'VALIDATION_FAILED',
        null,
      ]);
      expect(envelope.error?.details).toEqual(
        expect.arrayContaining([unknown('dryRun'), unknown('(unprintable)')]),
      );
    },
  );

  it('of a submission is reported with the findings of the body, and nothing is recorded', async () => {
    const body = makeBody({ operator: { name: 'a\u0007' } });
    const { envelope } = await stack.post('alpha', '/ppai/policies?dryRun=1', body);
    expect(envelope.error?.details).toEqual([
      expect.objectContaining({
        code: 'UNKNOWN_FIELD',
        field: 'dryRun',
        severity: 'ERROR',
        message: 'This endpoint has no such query parameter; it has batch.',
      }),
      expect.objectContaining({ code: 'INVALID_FORMAT', field: 'operator.name' }),
    ]);
    const lookup = await stack.get('alpha', `/ppai/transmissions/${body.externalTransactionId}`);
    expect(lookup.status).toBe(404);
  });

  it('is refused with a list of the known parameters', async () => {
    const { envelope } = await stack.get('alpha', '/ppai/vehicles/T1/coverage?asof=2026-01-01');
    expect(envelope.error?.details).toEqual([
      expect.objectContaining({
        field: 'asof',
        message: 'This endpoint has no such query parameter; it has asOf.',
      }),
    ]);
  });

  it('of a token request is refused, and its value is not repeated', async () => {
    const { status, envelope, text } = await stack.sendRaw({
      method: 'POST',
      target: `${API_BASE}/oauth/token?grant_type=client_credentials&client_secret=s3cret`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=x&client_secret=y',
    });
    expect(status).toBe(422);
    expect(envelope.error?.details).toEqual([unknown('grant_type'), unknown('client_secret')]);
    expect(text).not.toContain('s3cret');
  });

  it.each(open.map(({ path }) => [path]))('of a public document is refused: %s', async (path) => {
    const { status, envelope } = await stack.sendRaw({ target: `${API_BASE}${path}?v=1` });
    expect(status).toBe(422);
    expect(envelope.error?.details).toEqual([unknown('v')]);
    expect((await stack.sendRaw({ target: `${API_BASE}${path}?` })).status).toBe(200);
  });

  it.each(
    staff
      .filter(({ path }) => path !== '/auth/v1/logout')
      .map(({ method, path }) => [method, pathWith(path, UNKNOWN_ID)]),
  )('of the staff realm is refused: %s %s', async (method, path) => {
    const { status, envelope } = await admin.send({
      method,
      path: `${path}?dryRun=true`,
      ...(method === 'GET' ? {} : { body: {} }),
    });
    expect([status, envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(envelope.error?.details).toContainEqual(unknown('dryRun'));
  });

  it('of a sign-in is refused', async () => {
    const { status, envelope } = await makeBrowser(stack).post('/auth/v1/login?next=/x', {
      email: 'a@example.org',
      password: 'x',
    });
    expect([status, envelope.error?.details]).toEqual([422, [unknown('next')]]);
  });
});

describe('a query parameter that is given twice', () => {
  const given = Object.values<Endpoint>(ENDPOINTS).flatMap(({ method, path, query }) =>
    Object.keys(query?.shape ?? {}).map((name) => [method, path, name] as const),
  );

  it.each(given)('is refused by name: %s %s %s', async (method, path, name) => {
    const target = `${pathWith(path, 'PPAI-2026-000000001')}?${name}=1&${name}=1`;
    const body = method === 'POST' ? { body: makeBody() } : {};
    const { status, envelope } = await stack.send('alpha', { method, path: target, ...body });
    expect([status, envelope.error?.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(envelope.error?.details).toContainEqual(
      expect.objectContaining({ code: 'INVALID_FORMAT', field: name }),
    );
  });
});

describe('a name that is not percent-encoded UTF-8', () => {
  const names = ['%ZZ', '%', '%f', '%ff', '%C3', 'a%E0%80%80', '%ED%A0%80', 'PPAI%'];

  it.each(names)('is NOT_FOUND after authentication: %s', async (name) => {
    for (const { method, path } of signed.filter((one) => one.path.includes('{'))) {
      const target = pathWith(path, name);
      const answer = await stack.send('alpha', {
        method,
        path: target,
        ...(method === 'POST' ? { body: makeBody() } : {}),
      });
      expect([answer.status, answer.envelope.error?.code]).toEqual([404, 'NOT_FOUND']);
      const { status, headers, envelope } = answer;
      expect(
        checkAnswer({ method, path: `${API_BASE}${target}`, status, headers, body: envelope }),
      ).toEqual([]);
      expect(headers).toMatchObject({ ratelimit: expect.any(String) });
      const unsigned = await stack.sendRaw({ method, target: `${API_BASE}${target}` });
      expect([unsigned.status, unsigned.envelope.error?.code]).toEqual([401, 'INVALID_TOKEN']);
    }
  });

  it('is NOT_FOUND only with a session in the staff realm', async () => {
    expect((await admin.get('/admin/v1/clients/%ZZ')).status).toBe(404);
    expect((await makeBrowser(stack).get('/admin/v1/clients/%ZZ')).status).toBe(401);
  });
});
