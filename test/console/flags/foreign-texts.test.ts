import { useConsole } from '../env/console-world.ts';
import { raiseConflict } from '../env/flags.ts';

const world = useConsole();

const NAME_LENGTH = 255;
/** As long as names may be; in part from right to left, in part what would be code elsewhere. */
const NAME =
  '<script>window.wasRun = true</script><img src=x onerror="window.wasRun = true"> شركة التأمين '.padEnd(
    NAME_LENGTH,
    'W',
  );
const NOTES = '<b>bold?</b> "onload=x" ملاحظة\nsecond line';

it('names and notes show as they were written, and none of them runs or breaks the page', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseConflict(world.stack, { name: NAME });
  const { ownerDb } = world.stack;
  await ownerDb.organization.update({ where: { code: flag.insurerCode }, data: { name: NAME } });
  const { page } = await world.visitAs(reviewer, `/console/flags/${flag.id}?status=OPEN`);
  const operator = page.getByRole('row', { name: 'Operator' });
  await operator.waitFor();
  expect(await operator.getByRole('cell').allTextContents()).toContain(NAME);
  await page.getByLabel('Notes').fill(NOTES);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const decision = page.getByRole('region', { name: 'Decision' });
  await decision.getByText('second line').waitFor();
  expect(await decision.textContent()).toContain(NOTES);
  expect(await page.locator('main script, main img, main b').count()).toBe(0);
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
  expect(
    await page.evaluate(
      'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
    ),
  ).toBe(true);
});
