import { makeBody, makePlainVehicle, makeVehicle } from '../../env/api/bodies.ts';
import { useConsole } from '../env/console-world.ts';
import { amend, register } from '../env/records.ts';

const world = useConsole();

it('a record is found by the plate number that it had before, and its reference is copied', async () => {
  const auditor = await world.user('AUDITOR');
  const vehicle = makePlainVehicle();
  const reference = await register(world.stack, makeBody({ vehicles: [vehicle] }));
  const set = { ...vehicle, plateNumber: `N${vehicle.plateNumber}` };
  const match = { chassisNumber: vehicle.chassisNumber };
  await amend(world.stack, reference, 'A new plate', { vehicles: { update: [{ match, set }] } });

  const permissions = ['clipboard-read', 'clipboard-write'];
  const { page } = await world.visitAs(auditor, '/console/records', { permissions });
  await page.getByLabel('Plate number').fill(vehicle.plateNumber?.toLowerCase() ?? '');
  await page.getByLabel('Plate number').press('Enter');
  await page.getByText('1 record', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toContain('plateNumber=');
  await page.getByRole('link', { name: reference }).click();
  await page.getByRole('heading', { name: `Record ${reference}` }).waitFor();
  await page.getByRole('button', { name: 'Copy registry reference' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(reference);
  await page.goBack();
  expect(await page.getByLabel('Plate number').inputValue()).not.toBe('');
});

it('a search that the registry refuses says why, and a range of dates limits it', async () => {
  const auditor = await world.user('AUDITOR');
  await register(world.stack, makeBody());
  const { page } = await world.visitAs(auditor, '/console/records?status=LOST');
  const refused = page.locator('.refused-filter');
  expect(await refused.textContent()).toContain('status=LOST');
  await refused.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('table').waitFor();
  await page.getByLabel('Expires to').fill('2001-01-01');
  await page.getByText('No records match these filters.').waitFor();
  expect(new URL(page.url()).search).toBe('?expirationTo=2001-01-01');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('table').waitFor();
});

it('any two versions are compared, and the link to a comparison shows the same', async () => {
  const auditor = await world.user('AUDITOR');
  const [first, second] = [makePlainVehicle(), makePlainVehicle()];
  const body = makeBody({ vehicles: [first], policy: { remarks: 'one' } });
  const reference = await register(world.stack, body);
  await amend(world.stack, reference, 'Another remark', { policy: { remarks: 'two' } });
  await amend(world.stack, reference, 'Another vehicle', { vehicles: { add: [second] } });

  const { page } = await world.visitAs(auditor, `/console/records/${reference}`);
  await page.locator('.tab-list').getByRole('link', { name: 'Versions' }).click();
  const differences = page.getByRole('region', { name: 'Differences' });
  await differences.getByText(`vehicles[${second.chassisNumber}]`).waitFor();
  expect(await differences.textContent()).not.toContain('policy.remarks');
  await page.getByLabel('Before').selectOption('1');
  const row = differences.getByRole('row', { name: 'policy.remarks' });
  await row.waitFor();
  expect(await row.getByRole('cell').allTextContents()).toEqual(['one', 'two']);
  await page.reload();
  await row.waitFor();
  expect(await page.getByLabel('Before').inputValue()).toBe('1');
  await page.getByLabel('After').selectOption('1');
  await page.getByText('Nothing differs.').waitFor();
  await page.getByRole('link', { name: 'Compare version 2 with the one before' }).click();
  await row.waitFor();
  const versions = page.getByRole('region', { name: 'Versions' });
  expect(await versions.textContent()).toContain('Another vehicle');
});

it('the timeline has registration, amendment and flag, and the flag leads back to record and vehicle', async () => {
  const reviewer = await world.user('REVIEWER');
  const vehicle = makeVehicle();
  const reference = await register(world.stack, makeBody({ vehicles: [vehicle] }));
  world.clock.advance(1_000);
  await amend(world.stack, reference, 'A typing error', { policy: { remarks: 'mended' } });

  const path = `/console/records/${reference}?tab=timeline`;
  const { page } = await world.visitAs(reviewer, path);
  const items = page.locator('.timeline li');
  await items.first().waitFor();
  const texts = await items.allTextContents();
  expect(texts[0]).toMatch(/^Amended: version 2 by .*A typing error$/);
  expect(texts.at(-1)).toMatch(/^(?:Registered|Flag raised)/);
  expect(texts.join()).toContain(`Flag raised: Vehicle mismatch ${vehicle.plateNumber}`);
  await page.getByRole('link', { name: '1 open flag' }).click();
  await page.getByRole('link', { name: 'Vehicle mismatch' }).click();
  await page.getByRole('link', { name: 'Flagged record: vehicle' }).click();
  await page.getByRole('heading', { name: `Vehicle ${vehicle.plateNumber}` }).waitFor();
  await page.getByRole('link', { name: reference }).click();
  await page.getByRole('heading', { name: `Record ${reference}` }).waitFor();
});

it('the overview masks the personal data of the operator', async () => {
  const auditor = await world.user('AUDITOR');
  const body = makeBody();
  const reference = await register(world.stack, body);
  const { page } = await world.visitAs(auditor, `/console/records/${reference}`);
  await page.getByRole('heading', { name: 'Operator' }).waitFor();
  const html = await page.content();
  expect(html).toContain(body.operator.name);
  expect(html).not.toContain(body.operator.contactEmail);
  expect(html).not.toContain(body.operator.tin);
});

it('a reference that does not exist has a page of its own', async () => {
  const auditor = await world.user('AUDITOR');
  const visit = await world.visit();
  visit.provoke(/status of 404/);
  const { page } = visit;
  await page.goto('/console/records/PPAI-1999-000000001');
  await world.signIn(page, auditor);
  await page.getByRole('heading', { name: 'There is no such record' }).waitFor();
});
