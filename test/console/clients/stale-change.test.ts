import { changeClient, issueClient } from '../../env/staff/clients.ts';
import type { StaffBrowser } from '../../env/staff/staff.ts';
import { useConsole } from '../env/console-world.ts';

const world = useConsole();

const LIMIT = 'Requests per minute';

/** Opens the form of a new client, types a limit, and lets somebody else save a name and another limit. */
async function startStaleChange(admin: StaffBrowser) {
  const { id } = await issueClient(admin);
  const { page } = await world.visitAs(admin, `/console/clients/${id}?tab=change`);
  await page.getByLabel(LIMIT).fill('500');
  const body = { name: 'Renamed meanwhile', rateLimitPerMinute: 240, expectedVersion: 1 };
  await changeClient(admin, id, body);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody else has changed this meanwhile.').waitFor();
  return { id, page };
}

function clientOf(id: string) {
  return world.stack.api.context.db.apiClient.findUniqueOrThrow({
    where: { id },
    select: { name: true, rateLimitPerMinute: true },
  });
}

it('a stale change is compared, and applied to the new version without losing the other one', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { id, page } = await startStaleChange(admin);
  const row = page.getByRole('alert').getByRole('row', { name: LIMIT });
  expect(await row.getByRole('cell').allTextContents()).toEqual(['120', '240', '500']);
  expect(await clientOf(id)).toEqual({ name: 'Renamed meanwhile', rateLimitPerMinute: 240 });
  await page.getByRole('button', { name: 'Apply mine to the new version' }).click();
  await page.getByText('Saved as version 3.').waitFor();
  expect(await clientOf(id)).toEqual({ name: 'Renamed meanwhile', rateLimitPerMinute: 500 });
});

it('a stale change can be given up for what the other one saved', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { id, page } = await startStaleChange(admin);
  await page.getByRole('button', { name: 'Use theirs' }).click();
  await page.getByRole('heading', { name: 'Renamed meanwhile' }).waitFor();
  expect(await page.getByLabel(LIMIT).inputValue()).toBe('240');
  expect(await clientOf(id)).toEqual({ name: 'Renamed meanwhile', rateLimitPerMinute: 240 });
});

it('what was typed into the form is there again after the session ended', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { id } = await issueClient(admin);
  const { page } = await world.visitAs(admin, `/console/clients/${id}?tab=change`);
  await page.getByLabel('Name', { exact: true }).fill('half a name');
  world.clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your session has ended.').waitFor();
  await world.signIn(page, admin);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('half a name');
});
