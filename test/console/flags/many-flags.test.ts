import { useConsole } from '../env/console-world.ts';
import { raiseConflict, raiseMismatch } from '../env/flags.ts';

const world = useConsole();

const FLAGS = 100_000;
const REQUESTS_OF_LIST_MAX = 2;
const REQUESTS_OF_FLAG_MAX = 3;

/** Copies of a flag, each a second older than the one before. */
async function copyFlag(id: string, count: number): Promise<void> {
  await world.stack.ownerDb.$executeRaw`
    INSERT INTO flags (id, type, certificate_id, vehicle_id, plate_number, region, details, message, created_at)
    SELECT gen_random_uuid(), type, certificate_id, vehicle_id, plate_number, region, details, message,
      created_at - n * interval '1 second'
    FROM flags, generate_series(1, ${count}::int) n WHERE id = ${id}::uuid`;
  await world.stack.ownerDb.$executeRaw`ANALYZE flags`;
}

it(`among ${FLAGS} flags a reviewer pages, filters and opens one`, async () => {
  const reviewer = await world.user('REVIEWER');
  const conflict = await raiseConflict(world.stack);
  const { id } = await raiseMismatch(world.stack);
  await copyFlag(id, FLAGS - 2);
  const visit = await world.visitAs(reviewer, '/console/account');
  const { page } = visit;
  await page.getByText('this session').waitFor();
  let requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/admin/')) requests.push(pathname);
  });

  await page.getByRole('link', { name: 'Flags' }).click();
  const rows = page.locator('.flag-row');
  await rows.first().waitFor();
  await page.waitForLoadState('networkidle');
  expect(requests.length).toBeLessThanOrEqual(REQUESTS_OF_LIST_MAX);
  await page.getByText(`${FLAGS.toLocaleString('en')} flags`).waitFor();

  const oldest = await rows.first().getAttribute('href');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'First page' }).waitFor();
  await page.locator(`.flag-row[href="${oldest}"]`).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'First page' }).click();
  await page.locator(`.flag-row[href="${oldest}"]`).waitFor();

  await page.getByLabel('Type').selectOption('IDENTIFIER_CONFLICT');
  await page.getByText('1 flag', { exact: true }).waitFor();
  requests = [];
  await visit.press('j');
  await page
    .getByRole('heading', { name: `Identifier conflict ${conflict.plateNumber}` })
    .waitFor();
  await page.waitForLoadState('networkidle');
  expect(requests.length).toBeLessThanOrEqual(REQUESTS_OF_FLAG_MAX);
});
