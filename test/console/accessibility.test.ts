import { checkAccessibility, prepareAxe } from './env/axe.ts';
import { useConsole } from './env/console-world.ts';
import { raiseConflict } from './env/flags.ts';

const world = useConsole();

/** As long as names may be, from right to left in part, and with what must stay text. */
const LONG_NAME = `<script>alert(1)</script>شركة ${'X'.repeat(220)}`;

const WINDOWS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
] as const;

it.each(WINDOWS)(
  'every page meets WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const reviewer = await world.user('REVIEWER');
    const flag = await raiseConflict(world.stack, { name: LONG_NAME });
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    const expectAccessible = async (): Promise<void> => {
      expect(await checkAccessibility(visit)).toEqual([]);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);
    };
    await page.goto('/console/flags?status=OPEN');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible();
    await world.signIn(page, reviewer);
    await page.getByRole('heading', { name: 'Flags' }).waitFor();
    await page.getByRole('status').first().waitFor();
    await expectAccessible();
    await page.goto(`/console/flags/${flag.id}?status=OPEN`);
    await page.getByRole('heading', { name: /^Identifier conflict/ }).waitFor();
    await expectAccessible();
    await page.goto('/console/account');
    await page.getByText('this session').waitFor();
    await expectAccessible();
    await page.goto('/console/nowhere');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await expectAccessible();
  },
);
