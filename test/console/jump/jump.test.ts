import { useConsole } from '../env/console-world.ts';
import { raiseConflict, raiseMismatch } from '../env/flags.ts';

const world = useConsole();

const LABEL = 'Go to a reference or identifier';

it('the search box goes to what has the reference or the identifier', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const visit = await world.visitAs(reviewer, '/console/flags?status=OPEN');
  const { page } = visit;
  await page.locator('.flag-row').first().waitFor();
  const goTo = async (text: string): Promise<void> => {
    await visit.press('/');
    await visit.type(text);
    await visit.press('Enter');
  };
  await goTo(flag.id.toUpperCase());
  await page.getByRole('heading', { name: /^Vehicle mismatch/ }).waitFor();
  await goTo(` ${flag.registryReference.toLowerCase()}`);
  await page.waitForURL(`**/console/records/${flag.registryReference}`);
  await page.locator('h1').waitFor();
  await goTo(flag.plateNumber ?? '');
  await page.waitForURL(`**/console/vehicles/${flag.vehicleId}`);
  await goTo('INS-ALPHA');
  await page.waitForURL('**/console/organizations/*');
  await goTo(flag.cocNumber);
  await page.waitForURL(`**/console/records/${flag.registryReference}`);
});

it('what fits several pages is asked, and what fits none is said', async () => {
  const reviewer = await world.user('REVIEWER');
  const { plateNumber } = await raiseConflict(world.stack);
  const { page } = await world.visitAs(reviewer, '/console/flags');
  const field = page.getByLabel(LABEL);
  await field.fill(plateNumber ?? '');
  await field.press('Enter');
  const choice = page.getByRole('dialog', { name: 'Which one?' });
  await choice.waitFor();
  expect(await choice.getByRole('link').count()).toBeGreaterThan(1);
  await choice.getByRole('link').first().click();
  await page.waitForURL('**/console/vehicles/*');
  await choice.waitFor({ state: 'detached' });

  await field.fill('NOBODY-HAS-1');
  await field.press('Enter');
  const nothing = page.getByRole('dialog', { name: 'Nothing found' });
  await nothing.getByText('NOBODY-HAS-1').waitFor();
  await nothing.getByRole('button', { name: 'Close' }).click();
  expect(await field.inputValue()).toBe('NOBODY-HAS-1');
});

it('an id that nothing has is looked for only where the role may read', async () => {
  const reviewer = await world.user('REVIEWER');
  const visit = await world.visitAs(reviewer, '/console/flags');
  const { page } = visit;
  visit.provoke(/status of 404/);
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  await page.getByLabel(LABEL).fill('0193f0a2-1111-7222-8333-944455556666');
  await page.getByLabel(LABEL).press('Enter');
  await page.getByRole('dialog', { name: 'Nothing found' }).waitFor();
  expect(refused).toEqual([]);
});
