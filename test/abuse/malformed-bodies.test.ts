import { type Stack, startStack } from '../env/stack.ts';
import { hurlMalformed, isStillServing } from '../faults/abuse/hurl.ts';
import { abuseTargetOf } from './abuse-target.ts';
import { seedOf } from './seed.ts';

const CASES = 1_200;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

it('malformed requests are refused in the words of the table, whatever is malformed, and nothing stumbles', async () => {
  const target = abuseTargetOf(stack);
  const { flaws, statuses } = await hurlMalformed(target, seedOf('malformed-bodies'), CASES);
  expect(flaws).toEqual([]);
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  // Most get past the gate: what is signed is what is sent.
  expect(statuses.get(401) ?? 0).toBeLessThan(CASES / 4);
  expect(statuses.get(422) ?? 0).toBeGreaterThan(CASES / 3);
  expect(await isStillServing(target)).toBe(true);
}, 180_000);
