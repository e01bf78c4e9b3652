import type { UserWithPassword } from '../../../shared/contract/staff/users.ts';
import { useConsole } from '../env/console-world.ts';
import { nextCode, typePassword } from '../env/sign-in.ts';

const world = useConsole();

const EMAIL = 'new.reviewer@staff.example';
const OWN_PASSWORD = 'seven brown otters swim at night';

it('an initial password permits nothing but choosing another one, which the page asks for', async () => {
  const administrator = await world.user('ADMINISTRATOR');
  const body = { email: EMAIL, role: 'REVIEWER' };
  const { envelope } = await administrator.post('/admin/v1/users', body);
  const { initialPassword } = envelope.data as unknown as UserWithPassword;
  const { page } = await world.visit();
  await page.goto('/console/flags?status=OPEN');
  await typePassword(page, EMAIL, initialPassword);
  const secret = (await page.locator('.key code').textContent())?.replaceAll(' ', '') ?? '';
  await page.getByLabel('Code', { exact: true }).fill(nextCode(world.clock, secret));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();

  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  const choose = async (password: string, repeated = password): Promise<void> => {
    await page.getByLabel('Current password').fill(initialPassword);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('New password again').fill(repeated);
    await page.getByRole('button', { name: 'Change the password' }).click();
  };
  await choose(OWN_PASSWORD, 'something else entirely');
  await page.getByText('The two new passwords differ.').waitFor();
  await choose('password password');
  await page.locator('[name=newPassword][aria-invalid=true]').waitFor();
  await choose(OWN_PASSWORD);
  await page.getByRole('heading', { name: 'Flags' }).waitFor();
  expect(new URL(page.url()).search).toBe('?status=OPEN');
});
