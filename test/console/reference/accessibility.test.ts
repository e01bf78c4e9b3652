import { fileOf, imported, lineOf } from '../../env/staff/reference-files.ts';
import { signInAs } from '../../env/staff/staff.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';

const world = useConsole();

it.each(WINDOWS)(
  'the pages of the reference data meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const admin = await world.user('ADMINISTRATOR');
    const uploader = await signInAs(world.stack, 'ADMINISTRATOR');
    const { id } = await imported(uploader, fileOf(lineOf('NCR'), lineOf('nowhere')));
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/reference');
    await world.signIn(page, admin);
    await page.getByRole('region', { name: 'Imports' }).last().waitFor();
    await page.getByLabel('File').setInputFiles({
      name: 'vehicles.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('region;plateNumber\n'),
    });
    await page.getByText('separated by semicolons').waitFor();
    await expectAccessible(visit);
    await page.goto('/console/reference/vehicles');
    await page.getByRole('status').first().waitFor();
    await expectAccessible(visit);
    await page.goto(`/console/reference/imports/${id}`);
    await page.getByRole('region', { name: 'Errors by line' }).waitFor();
    await expectAccessible(visit);
  },
);
