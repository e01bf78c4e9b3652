import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';

const world = useConsole();

it('a new flag is announced and moves nothing until the reader asks for it', async () => {
  const reviewer = await world.user('REVIEWER');
  await raiseMismatch(world.stack);
  const { page } = await world.visit();
  await page.clock.install();
  await page.goto('/console/flags?status=OPEN');
  await world.signIn(page, reviewer);
  const rows = page.locator('.flag-row');
  await rows.first().waitFor();
  const before = await rows.count();

  await raiseMismatch(world.stack);
  await page.clock.fastForward(31_000);
  const news = page.getByRole('button', { name: '1 new flag – show' });
  await news.waitFor();
  expect(await rows.count()).toBe(before);
  await news.click();
  await rows.nth(before).waitFor();
  await news.waitFor({ state: 'detached' });
});

it('filters are in the URL: back returns to the earlier ones', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(reviewer, '/console/flags?status=OPEN');
  await page.locator('.flag-row').first().waitFor();
  await page.getByLabel('Type').selectOption('IDENTIFIER_CONFLICT');
  await page.getByText('No flags match these filters.').waitFor();
  expect(new URL(page.url()).search).toBe('?status=OPEN&type=IDENTIFIER_CONFLICT');
  await page.goBack();
  await page.locator('.flag-row').first().waitFor();
  expect(await page.getByLabel('Type').inputValue()).toBe('');
  await page.reload();
  await page.locator('.flag-row').first().waitFor();
  expect(await page.getByLabel('Status').inputValue()).toBe('OPEN');
});

it('shortcuts show their help, and can be turned off', async () => {
  const reviewer = await world.user('REVIEWER');
  const visit = await world.visitAs(reviewer, '/console/flags?status=OPEN');
  const { page } = visit;
  await page.locator('.flag-row').first().waitFor();
  await visit.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  await visit.press('Escape');
  await help.waitFor({ state: 'detached' });
  const menu = page.getByRole('group', { name: 'Account' });
  await page.getByRole('button', { name: reviewer.email }).click();
  await visit.press('Escape');
  await menu.waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.className')).toBe('user-button');
  await page.getByRole('button', { name: reviewer.email }).click();
  await menu.waitFor();
  await page.getByRole('heading', { name: 'Flags' }).click();
  await menu.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: reviewer.email }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts: on' }).click();
  await visit.press('j');
  await page.getByRole('button', { name: reviewer.email }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts: off' }).click();
  expect(new URL(page.url()).pathname).toBe('/console/flags');
  await visit.press('j');
  await page.getByRole('heading', { name: /^Vehicle mismatch/ }).waitFor();
});
