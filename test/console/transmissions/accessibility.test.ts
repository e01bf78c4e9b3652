import { makeBody, makePlainVehicle, makeVehicle } from '../../env/api/bodies.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';
import { transmit } from '../env/transmissions.ts';

const world = useConsole();

const LONG_NAME = `<script>alert(1)</script>شركة ${'X'.repeat(220)}`;

it.each(WINDOWS)(
  'the pages of transmissions meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const reviewer = await world.user('REVIEWER');
    const vehicles = [makeVehicle(), { ...makePlainVehicle(), chassisNumber: '' }];
    const { transmissionReference } = await transmit(
      world.stack,
      'alpha',
      makeBody({ vehicles, operator: { name: LONG_NAME } }),
    );
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/transmissions?findingCode=REQUIRED&status=REJECTED');
    await world.signIn(page, reviewer);
    await page.locator('.refused-filter').waitFor();
    await expectAccessible(visit);
    await page.goto('/console/transmissions?policyNumber=nobody');
    await page.getByText('No transmissions match these filters.').waitFor();
    await expectAccessible(visit);
    await page.goto(`/console/transmissions/${transmissionReference}`);
    await page.getByRole('heading', { name: 'Level 1: Required fields' }).waitFor();
    await expectAccessible(visit);
    await page.locator('.tab-list').getByRole('link', { name: 'Processing' }).click();
    await page.getByText('Faults of the service').waitFor();
    await expectAccessible(visit);
    await page.locator('.tab-list').getByRole('link', { name: 'Body' }).click();
    await page.getByRole('heading', { name: 'operator' }).waitFor();
    await expectAccessible(visit);
    await page.getByRole('button', { name: 'Reveal personal data' }).click();
    await page.getByRole('alertdialog').waitFor();
    await expectAccessible(visit);
  },
);
