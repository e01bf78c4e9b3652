import { issueClient } from '../../env/staff/clients.ts';
import { useConsole } from '../env/console-world.ts';
import { nextCode } from '../env/sign-in.ts';

const world = useConsole();

const MINUTE_MS = 60_000;

it('an action that needs a fresh code asks for it and is then done', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { id } = await issueClient(admin);
  const { page } = await world.visitAs(admin, '/console/users');
  await page.getByRole('region', { name: 'Users' }).waitFor();
  // Two steps of less than 15 minutes with a request between them: the session goes on, the code gets old.
  world.clock.advance(9 * MINUTE_MS);
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('region', { name: 'Clients' }).waitFor();
  world.clock.advance(9 * MINUTE_MS);
  await page.locator(`a[href="/console/clients/${id}"]`).click();

  await page.getByRole('button', { name: 'Suspend' }).click();
  const reason = page.getByRole('alertdialog');
  await reason.getByLabel('Reason').fill('the code of this session is old');
  await reason.getByRole('button', { name: 'Suspend' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.waitFor();
  // With the keyboard only: the dialog on top has the focus.
  await page.keyboard.type(nextCode(world.clock, admin.secret));
  await page.keyboard.press('Enter');
  await page.getByText('Suspended', { exact: true }).waitFor();
  await dialog.waitFor({ state: 'detached' });
  await reason.waitFor({ state: 'detached' });
});

it('without the code nothing is done, and what was typed stays', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { id } = await issueClient(admin);
  const { page } = await world.visitAs(admin, '/console/users');
  await page.getByRole('region', { name: 'Users' }).waitFor();
  world.clock.advance(9 * MINUTE_MS);
  await page.getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('region', { name: 'Clients' }).waitFor();
  world.clock.advance(9 * MINUTE_MS);
  await page.locator(`a[href="/console/clients/${id}"]`).click();
  await page.locator('.tab-list').getByRole('link', { name: 'Change' }).click();
  await page.getByLabel('Name', { exact: true }).fill('not yet');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('not yet');
  const { name } = await world.stack.api.context.db.apiClient.findUniqueOrThrow({ where: { id } });
  expect(name).not.toBe('not yet');
});
