import { Client } from 'pg';
import type { VehicleBody } from '../../../shared/contract/machine/transmission.ts';
import type { ReferenceImport, ReferenceRegion } from '../../../shared/contract/staff/reference.ts';
import type { TestApi } from '../api/api-env.ts';
import { makeVehicle } from '../api/bodies.ts';
import type { TestAnswer } from '../api/signed-request.ts';
import { untilSeen } from '../server-timeouts.ts';
import type { StaffBrowser } from './staff.ts';

export const HEADING = 'region,plateNumber,mvFileNumber,engineNumber,chassisNumber';
export const IMPORTS = '/admin/v1/reference/imports';

/** A line of a reference file. */
export function lineOf(region: string, vehicle: VehicleBody = makeVehicle()): string {
  const { plateNumber, mvFileNumber, engineNumber, chassisNumber } = vehicle;
  return [region, plateNumber, mvFileNumber, engineNumber, chassisNumber].join(',');
}

export function fileOf(...lines: readonly string[]): string {
  return `${[HEADING, ...lines].join('\n')}\n`;
}

export function upload(
  browser: StaffBrowser,
  file: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  return browser.send({
    method: 'POST',
    path: IMPORTS,
    body: file,
    headers: { 'content-type': 'text/csv', ...headers },
  });
}

/** Uploads a file and returns the queued import; throws when the upload is refused. */
export async function queued(
  browser: StaffBrowser,
  file: string | Buffer,
): Promise<ReferenceImport> {
  const { status, envelope, text } = await upload(browser, file);
  if (status !== 202) throw new Error(`refused: ${text}`);
  return envelope.data as unknown as ReferenceImport;
}

export async function readImport(browser: StaffBrowser, id: string): Promise<ReferenceImport> {
  const { envelope } = await browser.get(`${IMPORTS}/${id}`);
  return envelope.data as unknown as ReferenceImport;
}

/** Polls until the import meets the condition. */
export async function untilImport(
  browser: StaffBrowser,
  id: string,
  condition: (one: ReferenceImport) => boolean,
): Promise<ReferenceImport> {
  const one = await untilSeen(() => readImport(browser, id), condition);
  if (!condition(one)) throw new Error(`condition not met in time: ${JSON.stringify(one)}`);
  return one;
}

export function importEnded(browser: StaffBrowser, id: string): Promise<ReferenceImport> {
  return untilImport(browser, id, ({ completedAt }) => completedAt !== null);
}

/** Uploads a file and waits for the outcome of the import. */
export async function imported(
  browser: StaffBrowser,
  file: string | Buffer,
): Promise<ReferenceImport> {
  return importEnded(browser, (await queued(browser, file)).id);
}

/** The number of vehicles in the reference data, by region. */
export async function vehiclesByRegion(browser: StaffBrowser): Promise<Record<string, number>> {
  const { envelope } = await browser.get('/admin/v1/reference/regions');
  const items = envelope.data?.['items'] as ReferenceRegion[];
  return Object.fromEntries(items.map(({ region, vehicles }) => [region, vehicles]));
}

/** Locks the region, so that an import cannot replace its data. Returns the function that unlocks it. */
export async function lockRegion(
  { config }: Pick<TestApi, 'config'>,
  region: string,
): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: config.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM reference_regions WHERE region = $1 FOR UPDATE', [region]);
  return () => client.end();
}
