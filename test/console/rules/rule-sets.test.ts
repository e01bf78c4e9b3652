import type { Page } from 'playwright-core';
import type { RuleSet } from '../../../shared/contract/staff/rules.ts';
import { addDays } from '../../../shared/domain/calendar.ts';
import { today } from '../../env/api/bodies.ts';
import { RULE_SETS } from '../../env/staff/rule-sets.ts';
import { signInAs } from '../../env/staff/staff.ts';
import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';

const world = useConsole();

const LONGEST = 'Longest cover in days';
const EXPIRING = 'Expiring period in days';

const shortId = (id: string): string => id.slice(0, 8);

/** Drafts a rule set as another administrator. */
async function draft(body: object): Promise<{ ruleSet: RuleSet; path: string }> {
  const { envelope } = await (await signInAs(world.stack, 'ADMINISTRATOR')).post(RULE_SETS, body);
  const ruleSet = envelope.data as unknown as RuleSet;
  return { ruleSet, path: `/console/rules/${ruleSet.id}` };
}

function readStored(id: string) {
  return world.stack.api.context.db.ruleSet.findUniqueOrThrow({ where: { id } });
}

async function confirm(page: Page, action: string, typed?: string): Promise<void> {
  const dialog = page.getByRole('alertdialog');
  if (typed !== undefined) await dialog.getByLabel(`Type ${typed} to confirm`).fill(typed);
  await dialog.getByRole('button', { name: action }).click();
}

it('an administrator drafts rules, tries them, schedules them and withdraws them', async () => {
  await raiseMismatch(world.stack);
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/rules');
  await page.getByRole('link', { name: 'Draft a rule set' }).click();
  await page.getByLabel(LONGEST).fill('5');
  await page.getByLabel('Note').fill('Short covers only.');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByRole('heading', { name: /^Rule set / }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const comparison = page.getByRole('region', { name: 'Compared with the rule set in force' });
  await comparison.getByText(LONGEST).waitFor();
  const difference = await comparison.textContent();
  expect(difference).toContain('400');
  expect(difference).toContain('5');

  await page.getByRole('button', { name: 'Try the rule set' }).click();
  await page.getByText(/would get another verdict/).waitFor();
  const moves = page.getByRole('region', { name: 'Other statuses' });
  expect(await moves.getByRole('row').nth(1).textContent()).toMatch(/^FlaggedRejected\d+$/);
  const codes = page.getByRole('region', { name: 'By code' });
  expect(await codes.getByText('VEHICLE_MISMATCH').count()).toBe(1);
  const organizations = page.getByRole('region', { name: 'By organization' });
  expect(await organizations.getByText('INS-ALPHA').count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?trial=200');

  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByLabel('Takes over').selectOption('At a moment');
  const day = addDays(today(), 2);
  await page.getByLabel('Moment (Asia/Manila)').fill(`${day}T08:00`);
  await confirm(page, 'Activate', shortId(id));
  await page.getByText('The rule set is scheduled.').waitFor();
  expect((await readStored(id)).activeFrom).toEqual(new Date(`${day}T08:00:00+08:00`));

  await page.getByRole('button', { name: 'Withdraw' }).click();
  await confirm(page, 'Withdraw');
  await page.getByText('The rule set is withdrawn and a draft again.').waitFor();
  expect((await readStored(id)).activeFrom).toBeNull();
  await page.getByRole('button', { name: 'Save the changes' }).waitFor();
});

it('an activation is typed, and the history shows what it changed', async () => {
  const { ruleSet, path } = await draft({ expiringWithinDays: 29 });
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, path);
  await page.getByRole('button', { name: 'Activate' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText(`${EXPIRING}: 30 → 29`).waitFor();
  await dialog.getByLabel(/^Type/).fill('yes');
  await dialog.getByRole('button', { name: 'Activate' }).click();
  await dialog.getByText(`This is not ${shortId(ruleSet.id)}.`).waitFor();
  expect((await readStored(ruleSet.id)).activeFrom).toBeNull();
  await confirm(page, 'Activate', shortId(ruleSet.id));
  await page.getByText('The rule set is in force.').waitFor();
  await page.getByRole('link', { name: 'Rules', exact: true }).last().click();
  const entry = page.getByRole('listitem').filter({ hasText: shortId(ruleSet.id) });
  expect(await entry.textContent()).toContain(`${EXPIRING}: 30 → 29`);
  expect(await entry.textContent()).toContain('In force');
});

it('a value that the rules do not allow is refused at its field', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/rules/new');
  await page.getByLabel(LONGEST).fill('99999');
  await page.getByLabel(/^Coverage types/).fill('PPAI_STANDARD\nlower');
  await page.getByRole('button', { name: 'Save the draft' }).click();
  await page.getByRole('alert').waitFor();
  for (const label of [LONGEST, /^Coverage types/])
    expect(await page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel(EXPIRING).getAttribute('aria-invalid')).toBeNull();
  expect(await page.getByLabel(LONGEST).inputValue()).toBe('99999');
});

it('of two who change a draft the second sees both changes and may keep them', async () => {
  const { ruleSet, path } = await draft({ note: 'first' });
  const [one, other] = [await world.user('ADMINISTRATOR'), await world.user('ADMINISTRATOR')];
  const [first, second] = [await world.visitAs(one, path), await world.visitAs(other, path)];
  await second.page.getByLabel(LONGEST).fill('300');
  await first.page.getByLabel('Note').fill('second');
  await first.page.getByRole('button', { name: 'Save the changes' }).click();
  await first.page.locator('blockquote', { hasText: 'second' }).waitFor();

  await second.page.getByRole('button', { name: 'Save the changes' }).click();
  const alert = second.page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.getByRole('row', { name: LONGEST }).textContent()).toMatch(/400400300$/);
  expect(await alert.getByRole('row', { name: 'Note' }).textContent()).toMatch(
    /firstsecondsecond$/,
  );
  expect((await readStored(ruleSet.id)).maxCoverageDays).toBe(400);
  await alert.getByRole('button', { name: 'Apply mine to the new version' }).click();
  await alert.waitFor({ state: 'detached' });
  expect(await readStored(ruleSet.id)).toMatchObject({ maxCoverageDays: 300, note: 'second' });
});

it('values for a draft that somebody else has scheduled become those of another draft', async () => {
  const { ruleSet, path } = await draft({});
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, path);
  await page.getByLabel(LONGEST).fill('123');
  const another = await signInAs(world.stack, 'ADMINISTRATOR');
  const activeFrom = `${addDays(today(), 9)}T00:00:00Z`;
  await another.post(`${RULE_SETS}/${ruleSet.id}/activate`, { expectedVersion: 1, activeFrom });
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await page.getByText('was activated meanwhile').waitFor();
  await page.getByRole('link', { name: 'Draft another one with my values' }).click();
  await page.getByRole('button', { name: 'Save the draft' }).waitFor();
  expect(await page.getByLabel(LONGEST).inputValue()).toBe('123');
});

it('what is typed into a draft survives the end of the session', async () => {
  const { path } = await draft({});
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, path);
  await page.getByLabel('Note').fill('half a note');
  world.clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'Save the changes' }).click();
  await page.getByText('Your session has ended.').waitFor();
  await world.signIn(page, admin);
  expect(await page.getByLabel('Note').inputValue()).toBe('half a note');
});

it('an auditor reads and tries rules and changes nothing', async () => {
  const { path } = await draft({ maxCoverageDays: 5 });
  const auditor = await world.user('AUDITOR');
  const { page } = await world.visitAs(auditor, path);
  await page.getByRole('button', { name: 'Try the rule set' }).waitFor();
  expect(await page.getByRole('button', { name: 'Activate' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Save the changes' }).count()).toBe(0);
  await page.goto('/console/rules/new');
  await page.getByRole('heading', { name: 'Your role does not include this page' }).waitFor();
});
