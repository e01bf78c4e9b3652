import { STAFF_PASSWORD } from '../../env/staff/staff.ts';
import { useConsole } from '../env/console-world.ts';

const world = useConsole();

const OWN_PASSWORD = 'seven brown otters swim at night';

it('a user sees and ends the own sessions', async () => {
  const auditor = await world.user('AUDITOR');
  const { page } = await world.visitAs(auditor, '/console/account');
  const rows = page.getByRole('main').getByRole('listitem');
  await page.getByText('this session').waitFor();
  // The session of the enrollment and that of the window.
  expect(await rows.count()).toBe(2);
  await rows.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed in only here.').waitFor();
  expect(await rows.count()).toBe(1);
});

it('a user replaces the recovery codes, which are shown once', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(reviewer, '/console/account');
  await page.getByLabel('Your password').fill('wrong');
  await page.getByRole('button', { name: 'Replace the codes' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Your password').fill(STAFF_PASSWORD);
  await page.getByRole('button', { name: 'Replace the codes' }).click();
  const codes = page.locator('.recovery-codes code');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  const [code = ''] = await codes.allTextContents();
  expect(reviewer.recoveryCodes).not.toContain(code);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByText('You have 10 unused codes.').waitFor();
  expect(await page.content()).not.toContain(code);
});

it('a user changes the password and stays signed in', async () => {
  const reviewer = await world.user('REVIEWER');
  const { page } = await world.visitAs(reviewer, '/console/account');
  await page.getByLabel('Current password').fill(STAFF_PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill(OWN_PASSWORD);
  await page.getByLabel('New password again').fill(OWN_PASSWORD);
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('The password is changed.').waitFor();
  expect(await page.getByLabel('Current password').inputValue()).toBe('');
});
