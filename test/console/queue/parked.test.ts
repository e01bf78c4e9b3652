import { SEND_AGAIN_MAX } from '../../../shared/contract/staff/queue.ts';
import { useConsole } from '../env/console-world.ts';
import { interceptOnce } from '../env/intercept-once.ts';
import { copyParked, park } from '../env/transmissions.ts';

const world = useConsole();

const FULL = 'SQLSTATE 53100: disk full';

beforeAll(() => world.stack.stopWorkers());
beforeEach(async () => {
  await world.stack.api.context.db.$executeRaw`UPDATE transmissions SET parked_at = NULL`;
});

function countParked(): Promise<number> {
  return world.stack.api.context.db.transmission.count({ where: { parkedAt: { not: null } } });
}

it('parked transmissions of one error are all sent again, more than one request sends', async () => {
  const administrator = await world.user('ADMINISTRATOR');
  const other = await park(world.stack, 'bravo', FULL);
  const first = await park(world.stack, 'alpha', 'timeout');
  const total = SEND_AGAIN_MAX + 500;
  await copyParked(world.stack, first, total - 1);
  const { page } = await world.visitAs(administrator, '/console/queue/parked');
  await page
    .getByRole('button', { name: `Send all ${(total + 1).toLocaleString('en')} again` })
    .waitFor();
  await page.getByRole('button', { name: 'timeout' }).click();
  await page.getByRole('button', { name: `Send all ${total.toLocaleString('en')} again` }).click();
  expect(new URL(page.url()).search).toBe('?lastError=timeout');

  const dialog = page.getByRole('alertdialog');
  const text = await dialog.textContent();
  expect(text).toContain(`Send ${total.toLocaleString('en')} parked transmissions again?`);
  expect(text).toContain('timeout');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  const all = total.toLocaleString('en');
  await dialog.getByText(`${all} of ${all} sent again.`).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('No parked transmissions match these filters.').waitFor();
  expect(await countParked()).toBe(1);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await page.getByRole('link', { name: other }).waitFor();
});

it('a fault in the middle keeps the progress, and the rest can be sent', async () => {
  const administrator = await world.user('ADMINISTRATOR');
  await park(world.stack, 'alpha', FULL);
  const visit = await world.visitAs(administrator, '/console/queue/parked');
  const { page } = visit;
  visit.provoke(/ERR_CONNECTION_REFUSED/);
  await interceptOnce(page, '**/parked/send-again', (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Send it again' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.textContent()).toContain('0 of 1 sent again.');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByText('1 of 1 sent again.').waitFor();
  expect(await countParked()).toBe(0);
});

it('one transmission is sent again, and one that is no longer parked is not', async () => {
  const administrator = await world.user('ADMINISTRATOR');
  const [first, second] = [
    await park(world.stack, 'alpha', FULL),
    await park(world.stack, 'alpha', FULL),
  ];
  const { page } = await world.visitAs(administrator, '/console/queue/parked');
  const rowOf = (reference: string) =>
    page
      .getByRole('region', { name: 'Parked transmissions', exact: true })
      .getByRole('row', { name: reference });
  await rowOf(first).getByRole('button', { name: 'Send again' }).click();
  await page.getByText('is in the queue again.').waitFor();
  await rowOf(first).waitFor({ state: 'detached' });
  expect(await countParked()).toBe(1);

  await world.stack.api.context.db.$executeRaw`UPDATE transmissions SET parked_at = NULL`;
  await rowOf(second).getByRole('button', { name: 'Send again' }).click();
  await rowOf(second).getByText('This transmission is not parked').waitFor();
});

it('an auditor sees what is parked and sends nothing', async () => {
  const auditor = await world.user('AUDITOR');
  const reference = await park(world.stack, 'alpha', FULL);
  const { page } = await world.visitAs(auditor, '/console/queue/parked');
  await page.getByRole('link', { name: reference }).waitFor();
  await page.getByRole('button', { name: FULL }).waitFor();
  expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
  await page.getByRole('link', { name: reference }).click();
  await page.getByText('Parked after its last retry.').waitFor();
  expect(await page.getByRole('button', { name: /^Send/ }).count()).toBe(0);
});
