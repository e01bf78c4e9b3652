import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';

const world = useConsole();

it('a saved view is a link in this browser, without what identifies a person', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const path = `/console/flags?status=OPEN&region=NCR&plateNumber=${flag.plateNumber}`;
  const { page } = await world.visitAs(reviewer, path);
  await page.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.getByText('because it may identify a person: plate number').waitFor();
  await dialog.getByLabel('Save the present filters as').fill('Open in NCR');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const stored = String(await page.evaluate('JSON.stringify(localStorage)'));
  expect(stored).toContain('Open in NCR');
  expect(stored).not.toContain(flag.plateNumber);
  expect(stored).not.toContain(reviewer.email);

  await page.goto('/console/flags');
  const view = page.getByRole('link', { name: 'Open in NCR' });
  await view.click();
  expect(new URL(page.url()).search).toBe('?status=OPEN&region=NCR');
  expect(await view.getAttribute('aria-current')).toBe('true');
  await page.getByRole('button', { name: 'Saved views' }).click();
  await dialog.getByRole('button', { name: 'Delete Open in NCR' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await view.waitFor({ state: 'detached' });
});

it('a reviewer lists the own flags and those of nobody, and gives one to somebody', async () => {
  const [first, second] = [await world.user('REVIEWER'), await world.user('REVIEWER')];
  const [one, other] = [await raiseMismatch(world.stack), await raiseMismatch(world.stack)];
  const { page } = await world.visitAs(first, `/console/flags/${one.id}?status=OPEN`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByText('You work on it.').waitFor();
  await page.getByLabel('Assignee').selectOption('Mine');
  await page.getByText('1 flag', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('assigneeId')).toBe(first.userId);

  await page.getByRole('button', { name: 'Give it to somebody' }).click();
  await page.getByLabel('Give it to').selectOption(second.email);
  await page.getByRole('button', { name: 'Give', exact: true }).click();
  await page.getByText(`${second.email} works on it.`).waitFor();
  await page.getByLabel('Assignee').selectOption("Nobody's");
  const hrefs = async (): Promise<(string | null)[]> => {
    const rows = await page.locator('.flag-row').all();
    return Promise.all(rows.map((row) => row.getAttribute('href')));
  };
  await page.locator(`.flag-row[href*="${other.id}"]`).waitFor();
  expect((await hrefs()).some((href) => href?.includes(one.id))).toBe(false);
  expect(new URL(page.url()).searchParams.get('assigned')).toBe('false');
});

it('filters that are seldom used are behind a button, and open while one is set', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const { page } = await world.visitAs(reviewer, '/console/flags');
  await page.getByText('More filters').click();
  await page.getByLabel('Plate number').fill(flag.plateNumber ?? '');
  await page.getByLabel('Plate number').press('Enter');
  await page.getByText('1 flag', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('1 flag', { exact: true }).waitFor();
  await page.getByLabel('Age', { exact: true }).selectOption('7 days or more');
  await page.getByText('No flags match these filters.').waitFor();
});

it('lists the flags that one reviewer decided', async () => {
  const [first, second] = [await world.user('REVIEWER'), await world.user('REVIEWER')];
  const [one, other] = [await raiseMismatch(world.stack), await raiseMismatch(world.stack)];
  const { page } = await world.visitAs(first, `/console/flags/${one.id}`);
  await page.getByLabel('Notes').fill('the plate was typed wrongly');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByLabel('Notes').waitFor({ state: 'detached' });
  await page.goto('/console/flags');
  await page.locator(`.flag-row[href*="${other.id}"]`).waitFor();
  await page.getByText('More filters').click();
  const decidedBy = page.getByLabel('Decided by (e-mail)');
  await decidedBy.fill(first.email.toUpperCase());
  await decidedBy.press('Enter');
  await page.getByText('1 flag', { exact: true }).waitFor();
  await page.locator(`.flag-row[href*="${one.id}"]`).waitFor();
  await decidedBy.fill(second.email);
  await decidedBy.press('Enter');
  await page.getByText('No flags match these filters.').waitFor();
});
