import { makeBody, makePlainVehicle } from '../../env/api/bodies.ts';
import { useConsole } from '../env/console-world.ts';
import { transmit } from '../env/transmissions.ts';

const world = useConsole();

it('filters find a rejected transmission, and its findings show by level and vehicle', async () => {
  const auditor = await world.user('AUDITOR');
  const bad = { ...makePlainVehicle(), chassisNumber: '', passengerCapacity: 900 };
  const body = makeBody({
    issuingInsurerCode: 'INS-NOBODY',
    vehicles: [makePlainVehicle(), bad],
  });
  const { transmissionReference } = await transmit(world.stack, 'alpha', body);
  await transmit(world.stack, 'alpha', makeBody());
  const { page } = await world.visitAs(auditor, '/console/transmissions');
  await page.getByText('2 transmissions').waitFor();
  await page.getByLabel('Status').selectOption('REJECTED');
  await page.getByText('1 transmission', { exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=REJECTED');
  await page.getByRole('link', { name: transmissionReference }).click();
  await page.getByRole('heading', { name: `Transmission ${transmissionReference}` }).waitFor();
  const levelOf = (level: number) =>
    page.getByRole('region', { name: `Findings of level ${level}` });
  expect(await levelOf(1).getByRole('row', { name: 'Vehicle 2' }).textContent()).toContain(
    'vehicles[1].chassisNumber',
  );
  expect(await levelOf(2).getByRole('row', { name: 'Vehicle 2' }).textContent()).toContain(
    'INVALID_FORMAT',
  );
  expect(await levelOf(3).getByRole('row', { name: 'Transmission' }).textContent()).toContain(
    'UNKNOWN_INSURER',
  );
  await page.goBack();
  await page.getByText('1 transmission', { exact: true }).waitFor();
});

it('revealed personal data is audited, and gone when the page is left', async () => {
  const reviewer = await world.user('REVIEWER');
  const body = makeBody({ operator: { tin: '987-654-321-000' } });
  const { transmissionReference } = await transmit(world.stack, 'alpha', body);
  const path = `/console/transmissions/${transmissionReference}?tab=body`;
  const { page } = await world.visitAs(reviewer, path);
  await page.getByRole('heading', { name: 'operator' }).waitFor();
  expect(await page.content()).not.toContain('987-654-321-000');

  await page.getByRole('button', { name: 'Reveal personal data' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Reveal personal data?' });
  expect(await dialog.textContent()).toContain('The audit log keeps');
  await dialog.getByRole('button', { name: 'Reveal personal data' }).click();
  await page.getByText('987-654-321-000').waitFor();
  const { db } = world.stack.api.context;
  const entries = await db.auditEntry.findMany({ where: { action: 'PERSONAL_DATA_READ' } });
  expect(entries.map(({ targetId }) => targetId)).toEqual([transmissionReference]);

  await page.locator('.tab-list').getByRole('link', { name: 'Processing' }).click();
  await page.getByText('Faults of the service').waitFor();
  expect(await page.content()).not.toContain('987-654-321-000');
  await page.locator('.tab-list').getByRole('link', { name: 'Body' }).click();
  await page.getByRole('heading', { name: 'operator' }).waitFor();
  expect(await page.content()).not.toContain('987-654-321-000');
  expect(page.url()).not.toContain('987');
  expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain(
    '987',
  );
});

it('an auditor reads the masked body and is not offered more', async () => {
  const auditor = await world.user('AUDITOR');
  const { transmissionReference } = await transmit(world.stack, 'alpha', makeBody());
  const path = `/console/transmissions/${transmissionReference}?tab=body`;
  const { page } = await world.visitAs(auditor, path);
  await page.getByRole('heading', { name: 'operator' }).waitFor();
  expect(await page.getByRole('button', { name: 'Reveal personal data' }).count()).toBe(0);
});

it('a search for a finding begins with the longest time that the registry allows', async () => {
  const auditor = await world.user('AUDITOR');
  await transmit(world.stack, 'alpha', { ...makeBody(), vehicles: [] });
  const { page } = await world.visitAs(auditor, '/console/transmissions');
  await page.getByText('More filters').click();
  await page.getByLabel('Finding').selectOption('REQUIRED');
  await page.getByRole('row', { name: 'Rejected' }).first().waitFor();
  const { searchParams } = new URL(page.url());
  const ms =
    Date.parse(searchParams.get('receivedTo') ?? '') -
    Date.parse(searchParams.get('receivedFrom') ?? '');
  expect(ms).toBe(7 * 86_400_000);
  expect(await page.locator('.refused-filter').count()).toBe(0);
});

it('a link with another number than the reference leads to the search for it', async () => {
  const auditor = await world.user('AUDITOR');
  const body = makeBody();
  const { transmissionReference } = await transmit(world.stack, 'alpha', body);
  const visit = await world.visit();
  visit.provoke(/status of 404/);
  const { page } = visit;
  await page.goto(`/console/transmissions/${body.externalTransactionId}`);
  await world.signIn(page, auditor);
  await page.getByRole('heading', { name: 'There is no such transmission' }).waitFor();
  await page.getByRole('link', { name: 'External transaction id' }).click();
  await page.getByRole('link', { name: transmissionReference }).waitFor();
});
