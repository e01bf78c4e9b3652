import { type Stack, startStack } from '../../env/api/stack.ts';
import { forge } from '../../faults/abuse/forge.ts';
import { replay } from '../../faults/abuse/replay.ts';
import { abuseTargetOf } from './abuse-target.ts';
import { seedOf } from './seed.ts';

const FORGERIES = 500;
const REPLAYS = 160;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
});
afterAll(() => stack.stop());

it('no part of a signed request can be changed, and no forgery keeps the genuine one from passing', async () => {
  const seed = seedOf('forged-signatures');
  const { problems, refusals, genuine } = await forge(abuseTargetOf(stack), seed, FORGERIES);
  expect(problems).toEqual([]);
  expect(genuine).toBe(FORGERIES / 20);
  expect(refusals.get('INVALID_SIGNATURE') ?? 0).toBeGreaterThan(FORGERIES / 4);
});

it('a request passes once, however often it comes, at once and later, and when the nonces are lost', async () => {
  const { problems, refusals } = await replay(abuseTargetOf(stack), {
    seed: seedOf('replays'),
    count: REPLAYS,
    baseUrls: [stack.baseUrl],
    losses: [stack.loseNonces],
  });
  expect(problems).toEqual([]);
  expect([...refusals.keys()].sort()).toEqual(['NONCE_REUSED', 'TIMESTAMP_OUT_OF_RANGE']);
});
