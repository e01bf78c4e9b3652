import { useConsole } from '../env/console-world.ts';
import { seenAtOf } from '../env/seen-at.ts';

const world = useConsole();

const MINUTE_MS = 60_000;

it('a page that is left open polls, warns after 13 minutes and shows the sign-in after 15', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visit();
  await page.clock.install();
  const pass = async (minutes: number): Promise<void> => {
    world.clock.advance(minutes * MINUTE_MS);
    await page.clock.fastForward(minutes * MINUTE_MS);
  };
  await page.goto('/console/flags?status=OPEN');
  await world.signIn(page, reviewer);
  await page.getByRole('heading', { name: 'Flags' }).waitFor();
  await page.getByText('There are no flags yet').or(page.getByText('No flags match')).waitFor();
  const seenAt = await seenAtOf(world.stack, reviewer.userId);

  const polled = page.waitForResponse((response) => response.url().includes('/admin/v1/flags'));
  await pass(5);
  expect((await polled).status()).toBe(200);
  expect(await seenAtOf(world.stack, reviewer.userId)).toEqual(seenAt);

  await pass(8.5);
  const warning = page.getByRole('alertdialog');
  await warning.waitFor();
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await warning.waitFor({ state: 'detached' });
  expect(await seenAtOf(world.stack, reviewer.userId)).not.toEqual(seenAt);

  await pass(14);
  await warning.waitFor();
  await pass(2);
  await page.getByText('Your session has ended.').waitFor();
});
