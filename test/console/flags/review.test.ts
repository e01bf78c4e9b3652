import type { FlagItem } from '../../../shared/contract/staff/flags.ts';
import { useConsole } from '../env/console-world.ts';
import { raiseConflict, raiseMismatch } from '../env/flags.ts';
import { interceptOnce } from '../env/intercept-once.ts';

const world = useConsole();

const KEYS_MAX = 200;
const FLAGS = 10;

async function statusOf(id: string): Promise<string> {
  const { status } = await world.stack.api.context.db.flag.findUniqueOrThrow({ where: { id } });
  return status;
}

it(`a reviewer decides ${FLAGS} flags with at most ${KEYS_MAX} keys and sees for each what conflicts`, async () => {
  const reviewer = await world.user('REVIEWER');
  const flags: FlagItem[] = [];
  for (let count = 0; count < FLAGS; count += 1) flags.push(await raiseConflict(world.stack));
  const visit = await world.visitAs(reviewer, '/console/flags?status=OPEN&insurerCode=INS-BRAVO');
  const { page } = visit;
  await page.getByText(`${FLAGS} flags`).waitFor();
  const rows = await page.locator('.flag-row').all();
  const order = await Promise.all(rows.map((row) => row.getAttribute('href')));
  await visit.press('j');
  for (const [position, href] of order.entries()) {
    const flag = flags.find(({ id }) => href?.includes(id));
    if (flag === undefined) throw new Error(`another flag is in the list: ${href}`);
    await page.getByRole('heading', { name: `Identifier conflict ${flag.plateNumber}` }).waitFor();
    const plate = page.getByRole('row', { name: 'Plate number' });
    expect(await plate.textContent()).toContain('same');
    expect(await page.getByRole('row', { name: 'Chassis number' }).textContent()).toContain(
      'differs',
    );
    await visit.press(position % 2 === 0 ? 'c' : 'r');
    await visit.type('seen');
    await visit.press('Control+Enter');
    await page.getByRole('region', { name: 'Decision' }).getByRole('blockquote').waitFor();
    if (position < FLAGS - 1) await visit.press('j');
  }
  expect(visit.keysPressed).toBeLessThanOrEqual(KEYS_MAX);
  const statuses = await Promise.all(flags.map(({ id }) => statusOf(id)));
  expect(statuses.filter((status) => status === 'CLEARED')).toHaveLength(FLAGS / 2);
  expect(statuses.filter((status) => status === 'REFERRED_TO_INSURER')).toHaveLength(FLAGS / 2);
  // The list keeps its rows until it is left.
  expect(await page.locator('.flag-row.is-decided').count()).toBe(FLAGS);
});

it('of two reviewers of one flag the second sees who decided, and keeps the notes', async () => {
  const [first, second] = [await world.user('REVIEWER'), await world.user('REVIEWER')];
  const flag = await raiseMismatch(world.stack);
  const path = `/console/flags/${flag.id}`;
  const [one, other] = [await world.visitAs(first, path), await world.visitAs(second, path)];
  await other.page.getByLabel('Notes').fill('The chassis number is on the papers.');
  await one.page.getByLabel('Notes').fill('A typing error of the insurer.');
  await one.page.getByRole('button', { name: 'Clear', exact: true }).click();
  const decision = one.page.getByRole('region', { name: 'Decision' });
  await decision.getByText('Cleared').waitFor();

  await other.page.getByRole('button', { name: 'Refer to insurer' }).click();
  const alert = other.page.getByRole('alert');
  await alert.waitFor();
  const text = await alert.textContent();
  expect(text).toContain('Somebody else has decided.');
  expect(text).toContain(first.email);
  expect(text).toContain('A typing error of the insurer.');
  expect(await other.page.getByText('The chassis number is on the papers.').count()).toBe(1);
  expect(await statusOf(flag.id)).toBe('CLEARED');
});

it('a session that ends in the middle of a note gives the note back after the sign-in', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const { page } = await world.visitAs(reviewer, `/console/flags/${flag.id}`);
  await page.getByLabel('Notes').fill('half a note');
  world.clock.advance(16 * 60_000);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByText('Your session has ended.').waitFor();
  expect(await page.content()).not.toContain('half a note');
  await world.signIn(page, reviewer);
  expect(await page.getByLabel('Notes').inputValue()).toBe('half a note');
  expect(await statusOf(flag.id)).toBe('OPEN');
});

it('notes are required, and the field says so', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const { page } = await world.visitAs(reviewer, `/console/flags/${flag.id}`);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  expect(await page.getByText('Write why you decide so.').count()).toBe(1);
  expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
});

it('a value that the registry does not know shows with its message and can be removed', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(reviewer, '/console/flags?status=OPEN&region=MARS');
  const refused = page.locator('.refused-filter');
  expect(await refused.textContent()).toContain('region=MARS');
  await refused.getByRole('button', { name: 'Remove' }).click();
  await refused.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('?status=OPEN');
});

it('a decision without an answer is said to be uncertain, and its notes are kept', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const visit = await world.visitAs(reviewer, `/console/flags/${flag.id}`);
  const { page } = visit;
  visit.provoke(/ERR_CONNECTION_REFUSED/);
  await interceptOnce(page, '**/clear', (route) => route.abort('connectionrefused'));
  await page.getByLabel('Notes').fill('while the registry was away');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  expect(await page.getByRole('alert').textContent()).toContain('may have been saved');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByLabel('Notes').waitFor({ state: 'detached' });
  expect(await statusOf(flag.id)).toBe('CLEARED');
});

it('a reviewer takes a flag, decides, and takes the decision back', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const { page } = await world.visitAs(reviewer, `/console/flags/${flag.id}`);
  await page.getByRole('button', { name: 'Take it' }).click();
  await page.getByText('You work on it.').waitFor();
  await page.getByLabel('Notes').fill('cleared too early');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByLabel('Why the flag is open again').fill('another paper came');
  await page.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('button', { name: 'Clear', exact: true }).waitFor();
  expect(await statusOf(flag.id)).toBe('OPEN');
  const history = page.locator('.timeline');
  await history.getByText('another paper came').waitFor();
  expect(await history.textContent()).toContain('cleared too early');
});
