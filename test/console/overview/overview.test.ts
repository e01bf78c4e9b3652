import type { Page } from 'playwright-core';
import { makeBody } from '../../env/api/bodies.ts';
import { prepareAxe } from '../env/axe.ts';
import { useConsole } from '../env/console-world.ts';
import { expectAccessible, WINDOWS } from '../env/expect-accessible.ts';
import { raiseMismatch } from '../env/flags.ts';
import { seenAtOf } from '../env/seen-at.ts';
import { transmit } from '../env/transmissions.ts';

const world = useConsole();

async function headings(page: Page): Promise<string[]> {
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  return page.getByRole('heading', { level: 2 }).allTextContents();
}

const [FLAGS, TODAY, OPERATION] = [
  'Flags that wait for a decision',
  'Transmissions today',
  'Operation',
];

it('every number leads to the list that it counts', async () => {
  const reviewer = await world.user('REVIEWER');
  await raiseMismatch(world.stack);
  await raiseMismatch(world.stack);
  await transmit(world.stack, 'alpha', { ...makeBody(), vehicles: [] });
  const { page } = await world.visitAs(reviewer, '/console');
  expect(await headings(page)).toEqual([FLAGS, TODAY, OPERATION]);
  const links = await page.locator('main .figures a, main .number-list a').all();
  const targets = await Promise.all(
    links.map(async (link) => ({
      href: (await link.getAttribute('href')) ?? '',
      count: (await link.locator('.figure').or(link).last().textContent()) ?? '',
    })),
  );
  const lists = targets.filter(({ href }) => /^\/console\/(?:flags|transmissions)\?/.test(href));
  // Flags: all, own, free, by type, four ages, insurer and region; transmissions: all, by status, by error.
  expect(lists.length).toBeGreaterThanOrEqual(13);
  for (const { href, count } of lists) {
    await page.goto(href);
    const noun = href.startsWith('/console/flags') ? 'flag' : 'transmission';
    const expected =
      count === '0'
        ? `No ${noun}s match these filters.`
        : `${count} ${noun}${count === '1' ? '' : 's'}`;
    await page
      .getByRole('status')
      .getByText(expected, { exact: true })
      .or(page.getByText(expected, { exact: true }))
      .first()
      .waitFor();
  }
});

it('what is the work of a role comes first, and only who reviews has flags', async () => {
  const administrator = await world.user('ADMINISTRATOR');
  const { page } = await world.visitAs(administrator, '/console');
  expect(await headings(page)).toEqual([OPERATION, TODAY, FLAGS]);
  await page.getByText('Assigned to you').waitFor();
  const auditor = await world.user('AUDITOR');
  const other = await world.visitAs(auditor, '/console');
  expect(await headings(other.page)).toEqual([TODAY, FLAGS, OPERATION]);
  expect(await other.page.getByText('Assigned to you').count()).toBe(0);
});

it('the numbers are read every 30 seconds, which extends no session', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visit();
  await page.clock.install();
  await page.goto('/console');
  await world.signIn(page, reviewer);
  const open = page.getByRole('link', { name: /^Open: / });
  await open.waitFor();
  await page.getByRole('link', { name: /^Assigned to nobody: / }).waitFor();
  const before = Number(await open.textContent());
  const seenAt = await seenAtOf(world.stack, reviewer.userId);
  world.clock.advance(60_000);
  await raiseMismatch(world.stack);
  await page.clock.fastForward(31_000);
  await page.getByRole('link', { name: `Open: ${before + 1}` }).waitFor();
  expect(await seenAtOf(world.stack, reviewer.userId)).toEqual(seenAt);
  await page.getByRole('button', { name: 'Pause' }).click();
  const polled = jest.fn();
  page.on('request', polled);
  await page.clock.fastForward(120_000);
  expect(polled).not.toHaveBeenCalled();
});

it.each(WINDOWS)(
  'the overview meets WCAG 2.2 AA ($colorScheme, $viewport.width px)',
  async (window) => {
    const reviewer = await world.user('REVIEWER');
    await raiseMismatch(world.stack);
    const visit = await world.visit(window);
    await prepareAxe(visit);
    await visit.page.goto('/console');
    await world.signIn(visit.page, reviewer);
    await visit.page.getByRole('heading', { name: TODAY }).waitFor();
    await visit.page.getByRole('link', { name: /^Assigned to you: / }).waitFor();
    await expectAccessible(visit);
  },
);
