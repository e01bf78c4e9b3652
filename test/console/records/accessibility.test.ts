import { makeBody, makePlainVehicle, makeVehicle } from '../../env/api/bodies.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';
import { amend, register } from '../env/records.ts';

const world = useConsole();

/** As long as names may be, from right to left in part, and with what must stay text. */
const LONG_NAME = `<script>alert(1)</script>شركة ${'X'.repeat(220)}`;

it.each(WINDOWS)(
  'the pages of records meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const reviewer = await world.user('REVIEWER');
    const vehicles = [makePlainVehicle(), makeVehicle()];
    const operator = { name: LONG_NAME };
    const reference = await register(world.stack, makeBody({ vehicles, operator }));
    await amend(world.stack, reference, LONG_NAME, { vehicles: { add: [makePlainVehicle()] } });
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/records');
    await world.signIn(page, reviewer);
    await page.getByRole('region', { name: 'Records' }).waitFor();
    await expectAccessible(visit);
    await page.goto('/console/records?plateNumber=NONE1');
    await page.getByText('No records match these filters.').waitFor();
    await expectAccessible(visit);
    const shown = {
      overview: page.getByRole('heading', { name: 'Operator' }),
      vehicles: page.getByText('3 vehicles'),
      versions: page.getByRole('region', { name: 'Differences' }),
      timeline: page.locator('.timeline li'),
      transmissions: page.getByText('2 transmissions'),
      flags: page.getByText('1 flag', { exact: true }),
    };
    for (const [tab, content] of Object.entries(shown)) {
      await page.goto(`/console/records/${reference}?tab=${tab}`);
      await content.first().waitFor();
      await expectAccessible(visit);
    }
  },
);
