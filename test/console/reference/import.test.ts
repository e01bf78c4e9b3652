import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { makePlainVehicle, makeVehicle } from '../../env/api/bodies.ts';
import { fileOf, HEADING, lineOf } from '../../env/staff/reference-files.ts';
import { useConsole } from '../env/console-world.ts';

const world = useConsole();

const PAGE_ROWS = 50;

async function choose(page: Page, text: string): Promise<void> {
  await page.getByLabel('File').setInputFiles({
    name: 'vehicles.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
}

async function upload(page: Page, text: string): Promise<void> {
  await choose(page, text);
  await page.getByText('The heading is right').waitFor();
  await page.getByRole('button', { name: 'Upload and import' }).click();
  await page.getByRole('heading', { name: 'Import of reference data' }).waitFor();
}

/** Lines whose plate number has no digit. */
function badLines(region: string, count: number): string[] {
  return Array.from({ length: count }, () => lineOf(region, makeVehicle({ plateNumber: 'ABC' })));
}

it('an import with bad rows replaces the other regions and lists each error by its line', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/reference');
  const vehicle = makePlainVehicle();
  const bad = badLines('CAR', PAGE_ROWS + 10);
  await upload(page, fileOf(lineOf('NCR', vehicle), lineOf('NCR'), ...bad));
  await page.getByText('1 of 2 regions were replaced.').waitFor();
  const results = page.getByRole('region', { name: 'Result by region' });
  expect(await results.getByRole('row', { name: /^NCR/ }).textContent()).toContain('2 vehicles');
  const refused = await results.getByRole('row', { name: /^CAR/ }).textContent();
  expect(refused).toContain('Refused');
  expect(refused).toContain(`Its lines have ${bad.length} errors.`);

  const errors = page.getByRole('region', { name: 'Errors by line' });
  // The heading is line 1, and two lines are right.
  expect(await errors.getByRole('row').nth(1).textContent()).toMatch(/^4CARplateNumber/);
  await page.getByRole('button', { name: 'Next page' }).click();
  await errors.getByRole('rowheader', { name: String(4 + PAGE_ROWS) }).waitFor();
  expect(new URL(page.url()).searchParams.get('cursor')).not.toBeNull();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the errors as CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toContain(`# complete, ${bad.length} rows`);
  expect(csv).toContain('\n4,CAR,plateNumber,INVALID_FORMAT,');

  await page.getByRole('link', { name: 'Reference data', exact: true }).first().click();
  const regions = page.getByRole('region', { name: 'Regions with reference data' });
  await regions.getByRole('row', { name: /^NCR 2 / }).waitFor();
  await page
    .getByRole('navigation', { name: 'Reference data' })
    .getByRole('link', { name: 'Vehicles' })
    .click();
  await page.getByLabel('Plate number').fill(vehicle.plateNumber ?? '');
  await page.getByLabel('Plate number').press('Enter');
  await page.getByText('1 vehicle', { exact: true }).waitFor();
});

it('a line that names no region refuses the whole file, and the page says so', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/reference');
  await upload(page, fileOf(lineOf('NCR'), lineOf('')));
  await page.getByText('One line names no region, so none was replaced.').first().waitFor();
  const row = page.getByRole('row', { name: /^NCR/ }).first();
  expect(await row.textContent()).toContain('One line names no region, so none was replaced.');
  expect(await page.getByText('names none').count()).toBe(1);
});

it('a file with another heading is refused before it is sent', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/reference');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await choose(page, HEADING.replace('mvFileNumber', 'mvFile'));
  await page.getByText('The column mvFileNumber is missing.').waitFor();
  expect(await page.getByText('The column mvFile is not known.').count()).toBe(1);
  await page.getByRole('button', { name: 'Upload and import' }).click();
  await choose(page, HEADING.replaceAll(',', ';'));
  await page.getByText('separated by semicolons').waitFor();
  expect(sent).toEqual([]);
});

it('a file that the registry refuses leaves the form as it is, with the reason', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const visit = await world.visitAs(admin, '/console/reference');
  visit.provoke(/status of 415/);
  const { page } = visit;
  await choose(page, `${HEADING}\n`);
  await page.getByRole('button', { name: 'Upload and import' }).click();
  await page.getByText('The file has no line below its heading.').waitFor();
  expect(await page.getByLabel('File').inputValue()).toContain('vehicles.csv');
});

it('an import that waits is watched until it has ended', async () => {
  const admin = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(admin, '/console/reference');
  await world.stack.stopWorkers();
  await upload(page, fileOf(lineOf('NCR')));
  await page.getByText('The import waits for a worker.').waitFor();
  expect(await page.getByRole('progressbar', { name: 'Read of the file' }).count()).toBe(1);
  await world.stack.addWorker();
  await page.getByText('Every region of the file was replaced.').waitFor();
  expect(await page.getByRole('progressbar').count()).toBe(0);
});

it('an auditor sees imports and cannot upload', async () => {
  const auditor = await world.user('AUDITOR');
  const visit = await world.visitAs(auditor, '/console/reference');
  visit.provoke(/status of 404/);
  const { page } = visit;
  await page.getByRole('heading', { name: 'Imports' }).waitFor();
  expect(await page.getByLabel('File').count()).toBe(0);
  await page.goto('/console/reference/imports/00000000-0000-4000-8000-000000000000');
  await page.getByRole('heading', { name: 'There is no such import' }).waitFor();
});
