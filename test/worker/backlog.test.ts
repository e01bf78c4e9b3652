import { makeBody } from '../env/bodies.ts';
import { type Stack, startStack } from '../env/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0, environment: { BACKLOG_AGE_MAX_SECONDS: '60' } });
});
afterAll(() => stack.stop());

/** Asks until the API has looked at the backlog again. */
async function postUntil(status: number) {
  const endsAt = Date.now() + 25_000;
  for (;;) {
    const body = makeBody();
    const answer = await stack.post('alpha', '/ppai/policies', body, 'respond-async');
    if (answer.status === status || Date.now() > endsAt) return { body, answer };
    await new Promise((done) => setTimeout(done, 50));
  }
}

describe('a backlog too old to be useful (D20)', () => {
  it('refuses new work before anything is recorded, answers what is known, and ends with its work', async () => {
    const known = makeBody();
    const { db } = stack.api.context;
    await stack.post('alpha', '/ppai/policies', known, 'respond-async');
    await db.$executeRaw`UPDATE transmissions SET recorded_at = now() - interval '61 seconds'`;

    const { body, answer } = await postUntil(429);
    expect([answer.status, answer.envelope.error?.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const { externalTransactionId } = body;
    expect(await db.transmission.count({ where: { externalTransactionId } })).toBe(0);

    const repeated = await stack.post('alpha', '/ppai/policies', known);
    expect(repeated.envelope.error?.code).toBe('TRANSMISSION_IN_PROGRESS');
    const other = { ...known, poolCode: 'POOL-NORTH' };
    const reused = await stack.post('alpha', '/ppai/policies', other);
    expect(reused.envelope.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');

    await stack.addWorker();
    await stack.untilTerminal(known.externalTransactionId);
    expect((await postUntil(202)).answer.status).toBe(202);
  });
});
