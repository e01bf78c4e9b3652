import { randomUUID } from 'node:crypto';
import { useConsole } from '../env/console-world.ts';
import { expectForgotten } from '../env/expect-forgotten.ts';
import { typePassword } from '../env/sign-in.ts';

const world = useConsole();

it('an administrator creates a user, whose initial password is shown once and works', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/users');
  const email = `new-${randomUUID().slice(0, 8)}@staff.example`;
  await page.getByRole('button', { name: 'Create a user' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('dialog').getByLabel('Role').selectOption('AUDITOR');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'The user is created' });
  await dialog.waitFor();
  const password = (await dialog.locator('.secrets code').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('heading', { name: email }).waitFor();
  await expectForgotten(page, [password]);
  expect(page.url()).not.toContain(email);
  await page.getByText('Auditor', { exact: true }).waitFor();

  const { page: other } = await world.visit();
  await other.goto('/console/');
  await typePassword(other, email, password);
  await other.getByRole('heading', { name: 'Set up your authenticator app' }).waitFor();
});

it('an administrator changes the role, disables with a reason, and reactivates', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(admin, `/console/users/${reviewer.userId}`);
  await page.getByRole('button', { name: 'Change the role' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('AUDITOR');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Auditor', { exact: true }).waitFor();
  const dialog = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Disable' }).click();
  await dialog.getByLabel('Reason').fill('left the regulator');
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await page.locator('.tab-list').getByRole('link', { name: 'History' }).click();
  await page.getByText('left the regulator').waitFor();
  expect(await page.getByText('Role: REVIEWER → AUDITOR').count()).toBe(1);
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await dialog.getByLabel('Reason').fill('came back');
  await dialog.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  expect((await reviewer.get('/auth/v1/session')).status).toBe(401);
});

it('an administrator ends the sessions of a user', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(admin, `/console/users/${reviewer.userId}`);
  await page.getByRole('button', { name: 'End the sessions' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').fill('a lost laptop');
  await dialog.getByRole('button', { name: 'End the sessions' }).click();
  await page.getByText('1 session ended.').waitFor();
  expect((await reviewer.get('/auth/v1/session')).status).toBe(401);
});

it('an administrator resets the second factor and the password', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(admin, `/console/users/${reviewer.userId}`);
  const dialog = page.getByRole('alertdialog');
  await page.getByRole('button', { name: 'Reset the second factor' }).click();
  await dialog.getByLabel('Reason').fill('lost the telephone');
  await dialog.getByRole('button', { name: 'Reset the second factor' }).click();
  await page.getByText('not enrolled: it is due at the next sign-in').waitFor();
  await page.getByRole('button', { name: 'Reset the password' }).click();
  await dialog.getByLabel('Reason').fill('forgot it');
  await dialog.getByRole('button', { name: 'Reset the password' }).click();
  const shown = page.getByRole('dialog', { name: 'The password is reset' });
  const password = (await shown.locator('.secrets code').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText(/^initial, works until/).waitFor();
  await expectForgotten(page, [password]);
});

it('the last administrator cannot give up the role, and reads why', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { staffUser } = world.stack.api.context.db;
  const others = { role: 'ADMINISTRATOR', status: 'ACTIVE', id: { not: admin.userId } };
  await staffUser.updateMany({ where: others, data: { status: 'DISABLED' } });
  const { page } = await world.visitAs(admin, `/console/users/${admin.userId}`);
  await page.getByRole('button', { name: 'Change the role' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('REVIEWER');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('the last active ADMINISTRATOR');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByText('This is your own account.').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Reset the password' }).count()).toBe(0);
});
