import { useConsole } from '../env/console-world.ts';

const world = useConsole();

it('an administrator creates a pool, adds a member, and ends the membership', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/pools');
  await page.getByRole('button', { name: 'Create a pool' }).click();
  await page.getByLabel('Code', { exact: true }).fill('POOL-SOUTH');
  await page.getByLabel('Name', { exact: true }).fill('Southern Pool');
  await page.getByLabel('Lead insurer').fill('INS-ALPHA');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Southern Pool' }).waitFor();
  await page.getByText('The pool has no members yet.').waitFor();

  const add = page.getByRole('dialog', { name: 'Add a member' });
  const addMember = async (insurer: string, from: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a member' }).click();
    await add.getByLabel('Insurer').fill(insurer);
    await add.getByLabel('First day').fill(from);
    await add.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await addMember('INS-BRAVO', '2024-03-01');
  const row = page.getByRole('row', { name: /^Bravo Insurance/ });
  await row.waitFor();
  await add.waitFor({ state: 'detached' });
  expect(await row.textContent()).toContain('Member');
  expect(await page.locator('svg.bars rect').count()).toBe(1);

  await addMember('INS-BRAVO', '2025-01-01');
  await add
    .getByText('The insurer is a member of this pool on one of these days already.')
    .waitFor();
  await add.getByRole('button', { name: 'Cancel' }).click();

  await row.getByRole('button', { name: 'Change the end' }).click();
  const end = page.getByRole('dialog', { name: 'End of the membership of Bravo Insurance' });
  await end.getByLabel('Last day').fill('2024-02-01');
  await end.getByRole('button', { name: 'Save' }).click();
  // The browser refuses a day before the first.
  expect(await page.evaluate('document.querySelector("input:invalid") !== null')).toBe(true);
  await end.getByLabel('Last day').fill('2024-12-31');
  await end.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Ended').waitFor();
  expect(await row.textContent()).toContain('2024-12-31');
  expect(await page.locator('svg.bars rect.bar-ended').count()).toBe(1);
});

it('an administrator changes who leads a pool, and its name', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/pools');
  await page.getByRole('link', { name: 'Northern Insurance Pool' }).click();
  await page.getByRole('button', { name: 'Change who leads it' }).click();
  await page.getByLabel('Lead insurer', { exact: true }).fill('INS-CHARLIE');
  await page.getByLabel(/^Management company/).fill('');
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const pool = await world.stack.api.context.db.insurancePool.findFirstOrThrow({
    where: { organization: { code: 'POOL-NORTH' } },
    select: { leadInsurer: { select: { code: true } }, managementCompanyId: true },
  });
  expect(pool).toEqual({ leadInsurer: { code: 'INS-CHARLIE' }, managementCompanyId: null });
  await page.getByRole('button', { name: 'Rename' }).click();
  const form = page.getByRole('dialog', { name: 'Rename' });
  await form.getByLabel('Name').fill('Pool of the North');
  await form.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Pool of the North' }).waitFor();
});
