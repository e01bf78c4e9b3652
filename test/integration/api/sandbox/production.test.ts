import { SCENARIO_HEADER } from '../../../../shared/contract/machine/sandbox/scenario.ts';
import { makeBody } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

describe('outside the sandbox (D40)', () => {
  it('the scenario header is refused, and nothing is recorded', async () => {
    const body = makeBody();
    const { status, envelope } = await stack.post('alpha', '/ppai/policies', body, {
      [SCENARIO_HEADER]: 'ACCEPTED',
    });
    expect(status).toBe(422);
    expect(envelope.error?.details).toEqual([
      expect.objectContaining({ code: 'INVALID_FORMAT', field: SCENARIO_HEADER }),
    ]);
    const { externalTransactionId } = body;
    const { db } = stack.api.context;
    expect(await db.transmission.count({ where: { externalTransactionId } })).toBe(0);
    expect(await db.sandboxScenario.count()).toBe(0);
  });

  it.each(['/limits', '/ppai/transmissions', '/ppai/policies/search?plateNumber=ABC1234'])(
    'the scenario header is refused at GET %s, which has no scenarios',
    async (path) => {
      const answer = await stack.get('alpha', path, { [SCENARIO_HEADER]: 'SLOW=1000' });
      expect(answer.status).toBe(422);
      expect(answer.envelope.error?.details).toEqual([
        expect.objectContaining({ code: 'INVALID_FORMAT', field: SCENARIO_HEADER }),
      ]);
    },
  );

  it('the clock of the sandbox is NOT_FOUND', async () => {
    expect((await stack.get('alpha', '/sandbox/clock')).status).toBe(404);
    expect((await stack.post('alpha', '/sandbox/clock', { dayOffset: 1 })).status).toBe(404);
  });

  it.each([
    ['GET', '/api/v1/openapi.json', 200],
    ['GET', '/api/v1/nothing', 404],
    ['POST', '/api/v1/oauth/token', 422],
    ['GET', '/api/v1/ppai/policies/search', 401],
    ['DELETE', '/api/v1/ppai/policies', 404],
    ['GET', '/admin/v1/users', 401],
  ])('every answer names the environment: %s %s', async (method, target, status) => {
    const answer = await stack.sendRaw({ method, target });
    expect([answer.status, answer.headers['x-ppai-environment']]).toEqual([status, 'production']);
  });

  it('the answer to headers that are too long names the environment as well', async () => {
    const headers = { 'x-long': 'a'.repeat(20_000) };
    const answer = await stack.sendRaw({ target: '/api/v1/docs', headers });
    expect([answer.status, answer.headers['x-ppai-environment']]).toEqual([413, 'production']);
  });
});
