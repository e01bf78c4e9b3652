import type { Overview } from '../../../../shared/contract/staff/views/overview.ts';
import { addDays } from '../../../../shared/domain/calendar.ts';
import { makeMovableClock } from '../../../../shared/platform/clock.ts';
import { makeBody, today } from '../../../env/api/bodies.ts';
import { type Stack, startStack } from '../../../env/api/stack.ts';
import { signInAs } from '../../../env/staff/staff.ts';

/** Midnight in Manila. */
const MIDNIGHT = `${addDays(today(), -1)}T16:00:00.000Z`;
const clock = makeMovableClock(new Date(Date.parse(MIDNIGHT) - 1));

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ clock });
});
afterAll(() => stack.stop());

it("the overview counts the transmissions since the registry's day began", async () => {
  await stack.transmit('alpha', makeBody());
  const auditor = await signInAs(stack, 'AUDITOR');
  const readToday = async () => {
    const { envelope } = await auditor.get('/admin/v1/overview');
    return (envelope.data as unknown as Overview).transmissionsToday;
  };
  const yesterday = `${addDays(today(), -2)}T16:00:00.000Z`;
  expect(await readToday()).toMatchObject({ from: yesterday, total: 1 });
  clock.advance(1);
  expect(await readToday()).toMatchObject({ from: MIDNIGHT, total: 0, byStatus: [] });
  await stack.transmit('alpha', makeBody());
  expect(await readToday()).toMatchObject({ from: MIDNIGHT, total: 1 });
});
