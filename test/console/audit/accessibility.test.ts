import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';
import { raiseMismatch } from '../env/flags.ts';

const world = useConsole();

it.each(WINDOWS)(
  'audit, saved views and search meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const [reviewer, admin] = [await world.user('REVIEWER'), await world.user('ADMINISTRATOR')];
    const flag = await raiseMismatch(world.stack);
    await reviewer.post(`/admin/v1/flags/${flag.id}/clear`, { notes: 'X'.repeat(300) });
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/audit');
    await world.signIn(page, admin);
    await page.locator('.audit-entries summary').first().waitFor();
    await expectAccessible(visit);
    await page.goto(`/console/audit?targetId=${flag.id}`);
    await page.locator('.audit-entries summary').click();
    await page.getByRole('link', { name: 'All of this request' }).waitFor();
    await expectAccessible(visit);
    await page.getByRole('button', { name: 'Action: Any action' }).click();
    await page.getByRole('checkbox').first().waitFor();
    await expectAccessible(visit);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByRole('dialog', { name: 'Saved views' }).waitFor();
    await expectAccessible(visit);
    await page.goto('/console/audit?tab=verification');
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText('The log is sound.').waitFor();
    await expectAccessible(visit);
    await page.getByLabel('Go to a reference or identifier').fill('NOTHING-HAS-THIS-1');
    await page.getByLabel('Go to a reference or identifier').press('Enter');
    await page.getByRole('dialog', { name: 'Nothing found' }).waitFor();
    await expectAccessible(visit);
    await page.goto(`/console/flags/${flag.id}?assigned=false`);
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByText('More filters').first().waitFor({ state: 'attached' });
    await expectAccessible(visit);
  },
);
