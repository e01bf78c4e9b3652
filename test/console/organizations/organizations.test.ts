import { randomUUID } from 'node:crypto';
import { organizationId } from '../../env/staff/clients.ts';
import { useConsole } from '../env/console-world.ts';

const world = useConsole();

function newCode(): string {
  return `INS-${randomUUID().slice(0, 8).toUpperCase()}`;
}

it('an administrator creates an organization, renames, suspends and reactivates it', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/organizations');
  const code = newCode();
  await page.getByRole('button', { name: 'Create an organization' }).click();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByLabel('Name', { exact: true }).fill('New Insurance');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'New Insurance' }).waitFor();
  expect(await page.getByText(code).count()).toBe(1);

  await page.getByRole('button', { name: 'Rename' }).click();
  const form = page.getByRole('dialog', { name: 'Rename' });
  await form.getByLabel('Name').fill('Newer Insurance');
  await form.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Newer Insurance' }).waitFor();
  await form.waitFor({ state: 'detached' });

  const dialog = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Suspend' }).click();
  await dialog.getByLabel('Reason').fill('its licence has ended');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('Suspended', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await dialog.getByLabel('Reason').fill('it has a new licence');
  await dialog.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  await page.locator('.tab-list').getByRole('link', { name: 'History' }).click();
  const history = page.locator('.timeline');
  await history.getByText('it has a new licence').waitFor();
  expect(await history.getByRole('listitem').count()).toBe(4);
  expect(await history.textContent()).toContain('Name: New Insurance → Newer Insurance');
});

it('a code that is taken is refused, and what was typed stays', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/organizations');
  await page.getByRole('button', { name: 'Create an organization' }).click();
  await page.getByLabel('Code', { exact: true }).fill('INS-ALPHA');
  await page.getByLabel('Name', { exact: true }).fill('Another Alpha');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText('Another organization has this code.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another Alpha');
});

it('the page of an insurer shows its clients, its memberships and the pools that it leads', async () => {
  const auditor = await world.user('AUDITOR');
  const admin = await world.user('ADMINISTRATOR');
  const id = await organizationId(admin, 'INS-ALPHA');
  const { page } = await world.visitAs(auditor, `/console/organizations/${id}`);
  await page.getByText('What belongs to it').waitFor();
  await page.locator('.tab-list').getByRole('link', { name: 'Clients' }).click();
  await page.getByRole('link', { name: 'alpha', exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?tab=clients');
  await page.locator('.tab-list').getByRole('link', { name: 'Memberships' }).click();
  const row = page.getByRole('row', { name: /^Northern Insurance Pool/ });
  await row.waitFor();
  expect(await row.textContent()).toContain('without an end');
  await page.locator('.tab-list').getByRole('link', { name: 'Pools' }).click();
  await page.getByRole('link', { name: 'Northern Insurance Pool' }).click();
  await page.getByRole('img', { name: /^Memberships/ }).waitFor();
});

it('filters of the list are in the URL', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(reviewer, '/console/organizations?type=REGULATOR');
  const rows = page.getByRole('region', { name: 'Organizations' }).locator('tbody tr');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
  await page.getByLabel('Type').selectOption('MANAGEMENT_COMPANY');
  await page.getByText('Management One').waitFor();
  expect(new URL(page.url()).search).toBe('?type=MANAGEMENT_COMPANY');
});
