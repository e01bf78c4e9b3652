import { type Stack, startStack } from '../../env/api/stack.ts';
import { type CapturedLog, captureLog } from '../../env/capture-log.ts';
import { isStillServing, sendMalformed } from '../../faults/abuse/send-malformed.ts';
import { abuseTargetOf } from './abuse-target.ts';
import { seedOf } from './seed.ts';

const CASES = 1_200;

let stack: Stack;
let log: CapturedLog;
beforeAll(async () => {
  log = captureLog('info');
  stack = await startStack({ logger: log.logger });
});
afterAll(() => stack.stop());

it('malformed requests are refused in the words of the table, whatever is malformed, and nothing stumbles', async () => {
  const target = abuseTargetOf(stack);
  const { problems, statuses } = await sendMalformed(target, seedOf('malformed-bodies'), CASES);
  // Which error an answer comes from is told by the log alone.
  const failures = log.lines.filter((line) => line.includes('request failed'));
  expect({ problems, failures }).toEqual({ problems: [], failures: [] });
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  // Most get past the gate: what is signed is what is sent.
  expect(statuses.get(401) ?? 0).toBeLessThan(CASES / 4);
  expect(statuses.get(422) ?? 0).toBeGreaterThan(CASES / 3);
  expect(await isStillServing(target)).toBe(true);
}, 180_000);
