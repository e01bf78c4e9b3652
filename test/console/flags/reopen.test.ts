import { useConsole } from '../env/console-world.ts';
import { raiseConflict, raiseMismatch } from '../env/flags.ts';

const world = useConsole();

it('of two who reopen a flag the second sees it, and keeps the notes', async () => {
  const [first, second] = [await world.user('REVIEWER'), await world.user('REVIEWER')];
  const flag = await raiseMismatch(world.stack);
  await first.post(`/admin/v1/flags/${flag.id}/refer`, { notes: 'for the insurer' });
  const { page } = await world.visitAs(second, `/console/flags/${flag.id}`);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByLabel('Why the flag is open again').fill('the insurer called');
  await first.post(`/admin/v1/flags/${flag.id}/reopen`, { notes: 'my mistake' });
  await page.getByRole('button', { name: 'Reopen' }).click();
  const decision = page.getByRole('region', { name: 'Decision' });
  await decision.getByText('Somebody else has reopened the flag.').waitFor();
  expect(await decision.textContent()).toContain('the insurer called');
  await decision.getByRole('button', { name: 'Discard my notes' }).click();
  await decision.getByLabel('Notes').waitFor();
});

it('the reason of a reopening is there again after the session ended', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  await reviewer.post(`/admin/v1/flags/${flag.id}/clear`, { notes: 'seen' });
  const { page } = await world.visitAs(reviewer, `/console/flags/${flag.id}`);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByLabel('Why the flag is open again').fill('half a reason');
  world.clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByText('Your session has ended.').waitFor();
  await world.signIn(page, reviewer);
  expect(await page.getByLabel('Why the flag is open again').inputValue()).toBe('half a reason');
});

it('the comparison leads to the records and to the vehicles', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseConflict(world.stack);
  const { page } = await world.visitAs(reviewer, `/console/flags/${flag.id}`);
  const links = page.locator('.comparison a');
  await links.first().waitFor();
  const hrefs = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
  expect(hrefs).toContain(`/console/records/${flag.registryReference}`);
  expect(hrefs.filter((href) => href?.startsWith('/console/vehicles/')).length).toBeGreaterThan(1);
});

it('after the last flag of a page the next page follows', async () => {
  const reviewer = await world.user('REVIEWER');
  await raiseMismatch(world.stack);
  await raiseMismatch(world.stack);
  const { page } = await world.visitAs(reviewer, '/console/flags?status=OPEN&limit=1');
  await page.locator('.flag-row').click();
  await page.getByLabel('Notes').fill('seen');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('link', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'First page' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/flags');
});
