import type { RuleSet } from '../../../shared/contract/staff/rules.ts';
import { RULE_SETS } from '../../env/staff/rule-sets.ts';
import { signInAs } from '../../env/staff/staff.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';
import { raiseMismatch } from '../env/flags.ts';

const world = useConsole();

const NOTE = `<script>alert(1)</script>شركة ${'X'.repeat(220)}`;

it.each(WINDOWS)(
  'the pages of the rules meet WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    await raiseMismatch(world.stack);
    const author = await signInAs(world.stack, 'ADMINISTRATOR');
    const { envelope } = await author.post(RULE_SETS, { maxCoverageDays: 5, note: NOTE });
    const { id } = envelope.data as unknown as RuleSet;
    const admin = await world.user('ADMINISTRATOR');
    const visit = await world.visit(window);
    const { page } = visit;
    await prepareAxe(visit);
    await page.goto('/console/rules');
    await world.signIn(page, admin);
    await page.getByRole('region', { name: 'Drafts', exact: true }).waitFor();
    await expectAccessible(visit);
    await page.goto('/console/rules/new');
    await page.getByRole('button', { name: 'Save the draft' }).waitFor();
    await expectAccessible(visit);
    await page.goto(`/console/rules/${id}?trial=20`);
    await page.getByRole('region', { name: 'Transmissions with another verdict' }).waitFor();
    await expectAccessible(visit);
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByLabel('Takes over').selectOption('At a moment');
    await expectAccessible(visit);
  },
);
