import { addStaffUser } from '../../env/staff/staff.ts';
import { useConsole } from '../env/console-world.ts';
import { raiseMismatch } from '../env/flags.ts';
import { readQrCode } from '../env/read-qr-code.ts';
import { nextCode, typePassword } from '../env/sign-in.ts';

const world = useConsole();

it('the first sign-in enrolls with the QR code and shows the recovery codes once', async () => {
  const user = await addStaffUser(world.stack, 'REVIEWER');
  const visit = await world.visit();
  const { page } = visit;
  await page.goto('/console/flags?status=OPEN');
  await typePassword(page, user.email);

  const uri = new URL(await readQrCode(page));
  expect(uri.protocol).toBe('otpauth:');
  expect(decodeURIComponent(uri.pathname)).toContain(user.email);
  const secret = uri.searchParams.get('secret') ?? '';
  expect((await page.locator('.key code').textContent())?.replaceAll(' ', '')).toBe(secret);

  await page.getByLabel('Code', { exact: true }).fill(nextCode(world.clock, secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  const codes = await page.locator('.recovery-codes code').allInnerTexts();
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('heading', { name: 'Flags' }).waitFor();
  expect(await page.content()).not.toContain(codes[0]);

  // One of the codes signs in without the app.
  await page.getByRole('button', { name: user.email }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await typePassword(page, user.email);
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Flags' }).waitFor();
});

it('a link to a flag leads there through the sign-in', async () => {
  const reviewer = await world.user('REVIEWER');
  const flag = await raiseMismatch(world.stack);
  const path = `/console/flags/${flag.id}?status=OPEN&type=VEHICLE_MISMATCH`;
  const { page } = await world.visitAs(reviewer, path);
  await page.getByRole('heading', { name: `Vehicle mismatch ${flag.plateNumber}` }).waitFor();
  expect(page.url()).toBe(`${world.stack.baseUrl}${path}`);
});

it('after a sign-out another user signs in and sees nothing of the first', async () => {
  const [first, second] = [await world.user('REVIEWER'), await world.user('AUDITOR')];
  const flag = await raiseMismatch(world.stack);
  const { page } = await world.visitAs(first, `/console/flags/${flag.id}`);
  await page.getByLabel('Notes').fill('typed by the first');
  await page.getByRole('button', { name: first.email }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.content()).not.toContain(flag.plateNumber);

  await world.signIn(page, second);
  await page.getByRole('heading', { name: /^Vehicle mismatch/ }).waitFor();
  expect(await page.content()).not.toContain('typed by the first');
  expect(await page.evaluate('JSON.stringify(localStorage)')).toBe('{}');
});

it('a wrong code is refused in words, and a reload goes on with the code', async () => {
  const reviewer = await world.user('REVIEWER');
  const visit = await world.visit();
  const { page } = visit;
  await page.goto('/console');
  await typePassword(page, reviewer.email);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('alert').textContent()).toContain('The code is wrong');
  await page.reload();
  await page.getByLabel('Code', { exact: true }).fill(nextCode(world.clock, reviewer.secret));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

it('an auditor reads flags and decides nothing', async () => {
  const auditor = await world.user('AUDITOR');
  const flag = await raiseMismatch(world.stack);
  const { page } = await world.visitAs(auditor, `/console/flags/${flag.id}`);
  await page.getByRole('heading', { name: /^Vehicle mismatch/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Clear', exact: true }).count()).toBe(0);
  expect(await page.getByLabel('Notes').count()).toBe(0);
});
