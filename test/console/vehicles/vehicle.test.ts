import { addDays } from '../../../shared/domain/calendar.ts';
import { makeBody, makePlainVehicle, today } from '../../env/api/bodies.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';
import { register } from '../env/records.ts';

const world = useConsole();

/** Registers two certificates one after the other, the second with another plate number. Returns the vehicle's id. */
async function registerTwice() {
  const vehicle = makePlainVehicle();
  const plates = [vehicle.plateNumber ?? '', `N${vehicle.plateNumber}`] as const;
  const earlier = {
    effectiveDate: addDays(today(), -40),
    expirationDate: addDays(today(), -10),
  };
  const first = await register(
    world.stack,
    makeBody({
      vehicles: [vehicle],
      certificate: earlier,
      policy: { issuanceDate: addDays(today(), -40) },
    }),
  );
  const renamed = { ...vehicle, plateNumber: plates[1] };
  const second = await register(world.stack, makeBody({ vehicles: [renamed] }));
  return { plates, records: [first, second] as const };
}

it('a vehicle is found by a former identifier and shows its covers as a chart and as a table', async () => {
  const auditor = await world.user('AUDITOR');
  const { plates, records } = await registerTwice();
  const { page } = await world.visitAs(auditor, '/console/vehicles');
  await page.getByText('Type an identifier').waitFor();
  await page.getByLabel('Any identifier').fill(plates[0]);
  await page.getByLabel('Any identifier').press('Enter');
  await page.getByRole('link', { name: plates[1] }).click();
  await page.getByRole('heading', { name: `Vehicle ${plates[1]}` }).waitFor();

  const identifiers = page.getByRole('region', { name: 'Identifiers' });
  const former = identifiers.getByRole('row').filter({ hasText: 'Before' });
  expect(await former.textContent()).toContain(plates[0]);
  expect(await former.textContent()).toContain(addDays(today(), -10));
  const covers = page.getByRole('region', { name: 'Covers' });
  expect(await covers.locator('tbody tr').count()).toBe(2);
  const titles = await page.locator('.cover-bar title').allTextContents();
  expect(titles.map((title) => title.slice(0, title.indexOf(',')))).toEqual(records);
  await covers.getByRole('link', { name: records[0] }).click();
  await page.getByRole('heading', { name: `Record ${records[0]}` }).waitFor();
});

it('a vehicle that does not exist has a page of its own, and nothing found says so', async () => {
  const auditor = await world.user('AUDITOR');
  const visit = await world.visit();
  visit.provoke(/status of 40[04]/);
  const { page } = visit;
  await page.goto('/console/vehicles/not-an-id');
  await world.signIn(page, auditor);
  await page.getByRole('heading', { name: 'There is no such vehicle' }).waitFor();
  await page.goto('/console/vehicles?identifier=NOWHERE1');
  await page.getByText('No vehicles match these filters.').waitFor();
});

it.each(WINDOWS)(
  'the pages of vehicles meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const auditor = await world.user('AUDITOR');
    const { plates } = await registerTwice();
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/vehicles');
    await world.signIn(page, auditor);
    await page.getByText('Type an identifier').waitFor();
    await expectAccessible(visit);
    await page.goto(`/console/vehicles?identifier=${plates[0]}`);
    const found = page.getByRole('link', { name: plates[1] });
    await found.waitFor();
    await expectAccessible(visit);
    await found.click();
    await page.locator('.cover-chart').waitFor();
    await expectAccessible(visit);
  },
);
