import { makeBody, makePlainVehicle } from '../../env/api/bodies.ts';
import { useConsole } from '../env/console-world.ts';
import { amend, register } from '../env/records.ts';

const world = useConsole();

const VEHICLES = 500;
const VERSIONS = 40;
const PAGE_ROWS = 50;

it(`a record with ${VEHICLES} vehicles and ${VERSIONS} versions shows its vehicles in pages and any two versions`, async () => {
  const auditor = await world.user('AUDITOR');
  const vehicles = Array.from({ length: VEHICLES }, () => makePlainVehicle());
  const reference = await register(world.stack, makeBody({ vehicles }));
  for (let version = 2; version <= VERSIONS; version += 1)
    await amend(world.stack, reference, `Change ${version}`, {
      policy: { remarks: `version ${version}` },
    });

  const { page } = await world.visitAs(auditor, `/console/records/${reference}?tab=vehicles`);
  const rows = page.getByRole('region', { name: 'Vehicles' }).locator('tbody tr');
  await page.getByText(`${VEHICLES} vehicles`, { exact: true }).waitFor();
  expect(await rows.count()).toBe(PAGE_ROWS);
  // The rows scroll below their heading.
  const heading = page.getByRole('region', { name: 'Vehicles' }).locator('thead th').first();
  const topBefore = (await heading.boundingBox())?.y;
  await page.evaluate('document.querySelector(".table-scroll").scrollTop = 1000');
  expect((await heading.boundingBox())?.y).toBe(topBefore);
  expect((await rows.first().boundingBox())?.y).toBeLessThan(topBefore ?? 0);
  const first = await rows.first().textContent();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'First page' }).waitFor();
  await page.waitForFunction(
    `document.querySelector('tbody tr').textContent !== ${JSON.stringify(first)}`,
  );
  await page.getByLabel('On the record').selectOption('true');
  await page.getByText('No vehicles match these filters.').waitFor();

  await page.locator('.tab-list').getByRole('link', { name: 'Versions' }).click();
  await page.getByText(`${VERSIONS} versions`, { exact: true }).waitFor();
  await page.getByLabel('Before').selectOption('1');
  const differences = page.getByRole('region', { name: 'Differences' });
  await differences.getByRole('row', { name: /policy\.remarks/ }).waitFor();
  expect(await differences.locator('tbody tr').allTextContents()).toEqual([
    `policy.remarks–version ${VERSIONS}`,
  ]);
  await page.locator('.tab-list').getByRole('link', { name: 'Timeline' }).click();
  await page.getByText('Change 40').waitFor();
  expect(await page.locator('.timeline li').count()).toBe(VERSIONS);
});
