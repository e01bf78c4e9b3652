import type { Page } from 'playwright-core';
import type { MovableClock } from '../../../shared/platform/clock.ts';
import { STEP_MS } from '../../env/staff/sign-in-api.ts';
import { codeOf, STAFF_PASSWORD, type StaffBrowser } from '../../env/staff/staff.ts';

/** Types the password, on the page that asks for it. */
export async function typePassword(
  page: Page,
  email: string,
  password = STAFF_PASSWORD,
): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** A code that was not used before: each works once. */
export function nextCode(clock: MovableClock, secret: string): string {
  clock.advance(2 * STEP_MS);
  return codeOf(secret, clock);
}

/** Signs in an enrolled user. Resolves when the page itself shows. */
export async function signInOnPage(
  page: Page,
  { email, secret }: StaffBrowser,
  clock: MovableClock,
): Promise<void> {
  await typePassword(page, email);
  await page.getByLabel('Code', { exact: true }).fill(nextCode(clock, secret));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
