import type { FlagItem } from '../../../shared/contract/staff/flags.ts';
import type { StaffBrowser } from '../../env/staff/staff.ts';
import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';

const world = useConsole();

async function clearFlag(reviewer: StaffBrowser, notes: string): Promise<FlagItem> {
  const flag = await raiseMismatch(world.stack);
  await reviewer.post(`/admin/v1/flags/${flag.id}/clear`, { notes });
  return flag;
}

it('an auditor filters by several actions and an object, and sees what an entry changed', async () => {
  const [reviewer, auditor] = [await world.user('REVIEWER'), await world.user('AUDITOR')];
  const flag = await clearFlag(reviewer, 'the papers are right');
  await reviewer.post(`/admin/v1/flags/${flag.id}/reopen`, { notes: 'they are not' });
  const { page } = await world.visitAs(auditor, '/console/audit');
  await page.getByRole('heading', { name: 'Audit log' }).waitFor();

  await page.getByRole('button', { name: 'Action: Any action' }).click();
  await page.getByRole('checkbox', { name: 'Flag cleared' }).click();
  await page.getByRole('checkbox', { name: 'Flag reopened' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Action: Flag cleared and 1 more' }).waitFor();
  await page.getByLabel('Object id').fill(flag.id);
  await page.getByLabel('Object id').press('Enter');
  await page.getByText('2 entries').waitFor();
  expect(new URL(page.url()).searchParams.get('action')).toBe('FLAG_CLEARED,FLAG_REOPENED');

  const entry = page.locator('.audit-entries li', { hasText: 'Flag cleared' });
  await entry.locator('summary').click();
  const details = await entry.locator('.audit-details').textContent();
  expect(details).toContain('OPEN');
  expect(details).toContain('CLEARED');
  expect(details).toContain('the papers are right');
  await entry.getByRole('link', { name: 'Open the object' }).click();
  await page.getByRole('heading', { name: /^Vehicle mismatch/ }).waitFor();
});

it('the actor is found by a part of the address, of which the URL has nothing', async () => {
  const [reviewer, auditor] = [await world.user('REVIEWER'), await world.user('AUDITOR')];
  await clearFlag(reviewer, 'seen');
  const { page } = await world.visitAs(auditor, '/console/audit?action=FLAG_CLEARED');
  const actor = page.getByLabel("Actor's e-mail");
  await actor.fill('nobody-has-this');
  await actor.press('Enter');
  await page.getByText('No user has this address.').waitFor();
  await actor.fill('@staff.example');
  await actor.press('Enter');
  await page.getByText(/users match/).waitFor();
  await actor.fill(reviewer.email.slice(0, -3));
  await actor.press('Enter');
  await page.getByText('1 entry').waitFor();
  expect(new URL(page.url()).searchParams.get('actorId')).toBe(reviewer.userId);
  expect(page.url()).not.toContain('staff.example');
  await page.reload();
  await page.getByText('1 entry').waitFor();
  expect(await actor.inputValue()).toBe(reviewer.email);
});

it('days choose whole days of the registry', async () => {
  const auditor = await world.user('AUDITOR');
  const { page } = await world.visitAs(auditor, '/console/audit');
  await page.getByLabel('From').fill('2026-01-02');
  await page.getByLabel('To', { exact: true }).fill('2026-01-03');
  await page.getByText('No entries match these filters.').waitFor();
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('from')).toBe('2026-01-02T00:00:00+08:00');
  expect(searchParams.get('to')).toBe('2026-01-04T00:00:00+08:00');
  expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2026-01-03');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.locator('.audit-entries li').first().waitFor();
});

it('the link to an entry shows what its request did', async () => {
  const [reviewer, auditor] = [await world.user('REVIEWER'), await world.user('AUDITOR')];
  const flag = await clearFlag(reviewer, 'copied');
  const path = `/console/audit?action=FLAG_CLEARED&targetId=${flag.id}`;
  const { page } = await world.visitAs(auditor, path);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.audit-entries summary').click();
  await page.getByRole('button', { name: 'Copy link to this entry' }).click();
  const link = String(await page.evaluate('navigator.clipboard.readText()'));
  expect(link).toContain('/console/audit?requestId=');
  await page.goto(link);
  await page.getByText('1 entry').waitFor();
  expect(await page.locator('.audit-entries').textContent()).toContain(flag.id);
});

it('a verification says in words that the log is sound, and finds a head that it never had', async () => {
  const auditor = await world.user('AUDITOR');
  const { page } = await world.visitAs(auditor, '/console/audit?tab=verification');
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText('The log is sound.').waitFor();
  await page
    .getByText(/verified, from the first to the last\. The last entry is sealed\./)
    .waitFor();
  const head = page.getByLabel(/^Head of an earlier verification/);
  await head.fill('1');
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText('Expected the sequence and the hash of a head').waitFor();
  await head.fill(`1:${'0'.repeat(64)}`);
  await page.getByRole('button', { name: 'Verify the log' }).click();
  await page.getByText('The log is not sound from entry 1 on.').waitFor();
});

it('a reviewer has no audit page', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(reviewer, '/console/audit');
  await page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor();
  expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
});
