import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';
import { interceptOnce } from '../env/intercept-once.ts';

const world = useConsole();

const OFFLINE = /ERR_INTERNET_DISCONNECTED/;
/** React reports a page whose part did not load. */
const NOT_LOADED = /Failed to fetch dynamically imported module/;
const NOTE = 'half a note';

async function statusOf(id: string): Promise<string> {
  const { status } = await world.stack.api.context.db.flag.findUniqueOrThrow({ where: { id } });
  return status;
}

it('while the registry is out of reach reads say that nothing was changed, and the notes stay', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const visit = await world.visitAs(reviewer, `/console/flags/${flag.id}?status=OPEN`);
  const { page } = visit;
  visit.provoke(OFFLINE);
  await page.getByLabel('Notes').fill(NOTE);
  await page.context().setOffline(true);
  await page.getByLabel('Type').selectOption('VEHICLE_MISMATCH');
  const failed = page.getByRole('alert').filter({ hasText: 'cannot be reached' });
  await failed.waitFor();
  expect(await failed.textContent()).toContain('Nothing was changed.');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('The change may have been saved').waitFor();
  expect(await page.getByLabel('Notes').inputValue()).toBe(NOTE);

  await page.context().setOffline(false);
  await failed.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.flag-row').first().waitFor();
  expect(await page.getByLabel('Notes').inputValue()).toBe(NOTE);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByLabel('Notes').waitFor({ state: 'detached' });
  expect(await statusOf(flag.id)).toBe('CLEARED');
});

it('a page that does not load because the registry is out of reach leads back to the notes', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const visit = await world.visitAs(reviewer, `/console/flags/${flag.id}?status=OPEN`);
  const { page } = visit;
  visit.provoke(OFFLINE);
  visit.provoke(NOT_LOADED);
  await page.getByLabel('Notes').fill(NOTE);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: reviewer.email }).click();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText('You have typed something that is not saved.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Go back' }).click();
  expect(await page.getByLabel('Notes').inputValue()).toBe(NOTE);
});

it('a page of a release that is gone is loaded again', async () => {
  const reviewer = await world.user('REVIEWER');
  const visit = await world.visitAs(reviewer, '/console/flags?status=OPEN');
  const { page } = visit;
  await page.getByRole('heading', { name: 'Flags' }).waitFor();
  visit.provoke(/status of 404/);
  visit.provoke(NOT_LOADED);
  await interceptOnce(page, '**/assets/account-page-*.js', (route) =>
    route.fulfill({ status: 404 }),
  );
  await page.getByRole('button', { name: reviewer.email }).click();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  await page.getByText('this session').waitFor();
});

it('a new release does not load the page again while notes are typed', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const visit = await world.visitAs(reviewer, `/console/flags/${flag.id}?status=OPEN`);
  const { page } = visit;
  visit.provoke(/status of 404/);
  visit.provoke(NOT_LOADED);
  await page.route('**/assets/account-page-*.js', (route) => route.fulfill({ status: 404 }));
  await page.getByLabel('Notes').fill(NOTE);
  await page.getByRole('button', { name: reviewer.email }).click();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Go back' }).click();
  expect(await page.getByLabel('Notes').inputValue()).toBe(NOTE);
});
