import type { Browser } from 'playwright-core';
import type { Role } from '../../../shared/contract/staff.ts';
import { systemClock } from '../../../shared/platform/clock.ts';
import { codeOf } from '../../env/staff/staff.ts';
import { openVisit, type Visit } from '../env/browser.ts';
import { typePassword } from '../env/sign-in.ts';
import type { DemoRegistry } from './demo-registry.ts';

/** What the first sign-in of a user shows, in order. */
export type SignInStep = 'sign-in' | 'enrollment' | 'recovery-codes';

/**
 * Opens a window and signs in the demonstration user of the role for the first time, with a new second factor. `onStep` sees each
 * page of the sign-in before it is left. Works once per role.
 */
export async function signInFirst(
  browser: Browser,
  registry: DemoRegistry,
  role: Role,
  onStep: (step: SignInStep, visit: Visit) => Promise<void> = async () => undefined,
): Promise<Visit> {
  const visit = await openVisit(browser, registry.url);
  const { page } = visit;
  const { email, password } = registry.userOf(role);
  await page.goto('/console/account');
  await page.getByLabel('E-mail address').waitFor();
  await onStep('sign-in', visit);
  await typePassword(page, email, password);
  const secret = ((await page.locator('.key code').textContent()) ?? '').replaceAll(' ', '');
  await onStep('enrollment', visit);
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, systemClock));
  await page.getByRole('button', { name: 'Confirm' }).click();
  const saved = page.getByRole('button', { name: 'I have saved them' });
  await saved.waitFor();
  await onStep('recovery-codes', visit);
  await saved.click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return visit;
}
