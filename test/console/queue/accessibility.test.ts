import { makeHistoryPass } from '../../../worker/passes/history.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';
import { park } from '../env/transmissions.ts';

const world = useConsole();

it.each(WINDOWS)(
  'the pages of the queue meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const administrator = await world.user('ADMINISTRATOR');
    await world.stack.stopWorkers();
    await park(world.stack, 'alpha', `SQLSTATE 53100: ${'x'.repeat(200)}`);
    await makeHistoryPass({ db: world.stack.api.context.db, clock: world.clock })();
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/queue');
    await world.signIn(page, administrator);
    await page.locator('canvas').nth(6).waitFor();
    const depth = page.locator('.chart', { hasText: 'Transmissions in the queue' });
    await depth.getByText('Data as a table').click();
    await depth.getByRole('row').nth(2).waitFor();
    await expectAccessible(visit);
    await page.goto('/console/queue/parked');
    await page.getByRole('button', { name: /^Send (all|it)/ }).waitFor();
    await page.getByRole('region', { name: 'Parked transmissions', exact: true }).waitFor();
    await expectAccessible(visit);
    await page.getByRole('button', { name: /^Send (all|it)/ }).click();
    await page.getByRole('alertdialog').waitFor();
    await expectAccessible(visit);
    await page.goto('/console/queue/parked?kind=MERGE');
    await page.locator('.refused-filter').waitFor();
    await expectAccessible(visit);
  },
);
