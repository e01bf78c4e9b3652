import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';

const world = useConsole();

it('a sign-out in one tab ends the other, and a sign-in there brings both back, again and again', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const path = `/console/flags/${flag.id}`;
  const { page: first } = await world.visitAs(reviewer, path);
  const second = await first.context().newPage();
  await second.goto(path);
  await second.getByLabel('Notes').fill('typed in the second tab');
  for (const [here, there] of [
    [first, second],
    [second, first],
    [first, second],
  ] as const) {
    await here.getByRole('button', { name: reviewer.email }).click();
    await here.getByRole('button', { name: 'Sign out' }).click();
    await here.getByLabel('E-mail address').waitFor();
    await there.getByLabel('E-mail address').waitFor();
    expect(await there.content()).not.toContain(flag.plateNumber);
    await world.signIn(there, reviewer);
    await here.getByRole('heading', { name: /^Vehicle mismatch/ }).waitFor();
    await there.getByRole('heading', { name: /^Vehicle mismatch/ }).waitFor();
  }
  expect(await second.getByLabel('Notes').inputValue()).toBe('');
});

it('a sign-in of another user in another tab leaves nothing of the first', async () => {
  const [one, other] = [await world.user('REVIEWER'), await world.user('REVIEWER')];
  const flag = await raiseMismatch(world.stack);
  const path = `/console/flags/${flag.id}`;
  const { page: first } = await world.visitAs(one, path);
  await first.getByLabel('Notes').fill('typed by the first');
  await first.context().clearCookies();
  const second = await first.context().newPage();
  await second.goto(path);
  await world.signIn(second, other);
  await first.getByRole('button', { name: other.email }).waitFor();
  await first.getByLabel('Notes').waitFor();
  expect(await first.getByLabel('Notes').inputValue()).toBe('');
});
