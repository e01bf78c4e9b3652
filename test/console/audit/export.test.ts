import { readFileSync } from 'node:fs';
import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';
import { interceptOnce } from '../env/intercept-once.ts';

const world = useConsole();

it('an export has the rows of the filtered list, whatever page is open, and says how many', async () => {
  const reviewer = await world.user('REVIEWER');
  const flags = [await raiseMismatch(world.stack), await raiseMismatch(world.stack)];
  const { page } = await world.visitAs(reviewer, '/console/flags?status=OPEN&limit=1');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'First page' }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('flags.csv');
  const text = readFileSync(await download.path(), 'utf8');
  for (const { id } of flags) expect(text).toContain(id);
  expect(text.endsWith(`# complete, ${flags.length} rows\r\n`)).toBe(true);
  await page.getByText(`${flags.length} rows saved`).waitFor();
});

it('an export that was cut off is not saved, and the page says so', async () => {
  const auditor = await world.user('AUDITOR');
  const { page } = await world.visitAs(auditor, '/console/audit');
  // The list itself has been read: the next request is the export.
  await page.locator('.audit-entries summary').first().waitFor();
  let downloads = 0;
  page.on('download', () => {
    downloads += 1;
  });
  await interceptOnce(page, /\/admin\/v1\/audit\b/, (route) =>
    route.fulfill({ contentType: 'text/csv', body: 'sequence,at\r\n1,2026-01-01\r\n' }),
  );
  await page.getByRole('button', { name: 'Export as CSV' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.textContent()).toContain('cut off before its last row');
  expect(downloads).toBe(0);
  await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  await alert.waitFor({ state: 'detached' });
});

it.each(['records', 'transmissions'])('the list of %s is exported as well', async (list) => {
  const auditor = await world.user('AUDITOR');
  const { registryReference } = await raiseMismatch(world.stack);
  const { page } = await world.visitAs(auditor, `/console/${list}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${list}.csv`);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toContain(registryReference);
  expect(text).toMatch(/\r\n# complete, \d+ rows\r\n$/);
  await page.getByRole('button', { name: 'Save this view' }).waitFor();
});
