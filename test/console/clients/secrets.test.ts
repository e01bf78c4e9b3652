import type { Page } from 'playwright-core';
import { requestToken } from '../../env/api/machine-client.ts';
import { issueClient } from '../../env/staff/clients.ts';
import { useConsole } from '../env/console-world.ts';
import { expectForgotten } from '../env/expect-forgotten.ts';

const world = useConsole();

async function readSecrets(page: Page, title: string): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  return dialog.locator('.secrets code').allTextContents();
}

it('an administrator issues a client, whose secrets are shown once', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/clients');
  await page.getByRole('button', { name: 'Issue a client' }).click();
  await page.getByLabel('Organization').fill('INS-ALPHA');
  await page.getByLabel('Name', { exact: true }).fill('Claims system');
  await page.getByLabel('ppai:transmit').check();
  await page.getByLabel(/^Addresses/).fill('127.0.0.1\n203.0.113.0/24');
  await page.getByRole('button', { name: 'Issue', exact: true }).click();

  const secrets = await readSecrets(page, 'The client is issued');
  const [clientSecret = ''] = secrets;
  expect(secrets).toHaveLength(2);
  const row = await world.stack.api.context.db.apiClient.findFirstOrThrow({
    where: { name: 'Claims system' },
  });
  expect(row).toMatchObject({ scopes: ['ppai:transmit'], rateLimitPerMinute: 120 });
  expect(row.ipAllowlist).toEqual(['127.0.0.1', '203.0.113.0/24']);
  expect(await page.evaluate('document.activeElement.closest("dialog") !== null')).toBe(true);

  // Secrets that are shown once do not go by a key. A browser closes a dialog at the second Escape by itself.
  for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('heading', { name: 'Claims system' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/clients/${row.id}`);
  await expectForgotten(page, secrets);
  const token = await requestToken(world.stack, { clientId: row.clientId, clientSecret });
  // The allowlist of the form is in force: the test comes from elsewhere.
  expect(token.envelope.error?.code).toBe('IP_NOT_ALLOWED');
});

it('what is typed for a client that is refused is kept, with the reason at the field and a link to it', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/clients');
  await page.getByRole('button', { name: 'Issue a client' }).click();
  await page.getByLabel('Organization').fill('INS-NOWHERE');
  await page.getByLabel('Name', { exact: true }).fill('Refused');
  await page.getByLabel('ppai:read').check();
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByText('No organization has the code INS-NOWHERE.').waitFor();
  await page.getByLabel('Organization').fill('INS-ALPHA');
  await page.getByLabel(/^Addresses/).fill('not an address');
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.locator('.field-error').waitFor();
  expect(await page.getByLabel(/^Addresses/).getAttribute('aria-invalid')).toBe('true');
  const address = page.url();
  await page
    .getByRole('alert')
    .getByRole('link', { name: /^Addresses/ })
    .first()
    .click();
  expect(await page.evaluate('document.activeElement.getAttribute("name")')).toBe('ipAllowlist');
  expect(page.url()).toBe(address);

  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Issue a client' }).click();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Refused');
  expect(await page.getByLabel('ppai:read').isChecked()).toBe(true);
});

it('secrets rotate with an overlap, and leave the page when it is left', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const issued = await issueClient(admin);
  const { page } = await world.visitAs(admin, '/console/clients');
  await page.getByRole('link', { name: issued.client.name }).click();
  await page.getByRole('button', { name: 'Rotate secrets' }).click();
  await page.getByLabel('Signing secret').uncheck();
  await page.getByLabel('The earlier ones still work').selectOption('for 1 hour');
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  const secrets = await readSecrets(page, 'The secrets are replaced');
  expect(secrets).toHaveLength(1);
  const [clientSecret = ''] = secrets;

  await page.goBack();
  await page.getByRole('heading', { name: 'API clients' }).waitFor();
  await expectForgotten(page, secrets);
  for (const secret of [clientSecret, issued.clientSecret]) {
    const answer = await requestToken(world.stack, { ...issued, clientSecret: secret });
    expect(answer.status).toBe(200);
  }
  await page.goForward();
  const table = page.getByRole('region', { name: 'Secrets that work now' });
  await table.waitFor();
  expect(await table.getByRole('row', { name: /^Client secret/ }).count()).toBe(2);
  expect(await table.getByRole('row', { name: /^Signing secret/ }).count()).toBe(1);
});

it('an administrator revokes the tokens, suspends with a reason, and reactivates', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const issued = await issueClient(admin);
  await requestToken(world.stack, issued);
  const { page } = await world.visitAs(admin, `/console/clients/${issued.id}`);
  await page.getByRole('button', { name: 'Revoke the tokens' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Revoke the tokens' }).click();
  await page.getByText('1 token revoked.').waitFor();
  await page.getByRole('button', { name: 'Suspend' }).click();
  await dialog.getByLabel('Reason').fill('its secrets were in a mail');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('Suspended', { exact: true }).waitFor();
  expect((await requestToken(world.stack, issued)).status).toBe(403);
  await page.locator('.tab-list').getByRole('link', { name: 'History' }).click();
  await page.getByText('its secrets were in a mail').waitFor();
  await page.getByRole('button', { name: 'Reactivate' }).click();
  await dialog.getByLabel('Reason').fill('rotated');
  await dialog.getByRole('button', { name: 'Reactivate' }).click();
  await page.getByText('Active', { exact: true }).waitFor();
  expect((await requestToken(world.stack, issued)).status).toBe(200);
});
