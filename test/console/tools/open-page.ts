import type { Visit } from '../env/browser.ts';
import type { ShownPage } from './shown-pages.ts';

/** The headings of pages that cannot be shown. */
const REFUSALS = /^(There is no such|Your role does not include|This page could not be shown)/;

/** Opens a page in a window that is signed in, and waits until it shows what it read. @throws when the console refuses it */
export async function openPage(
  { page, problems }: Visit,
  { path, prepare, isRefusal = false }: ShownPage,
): Promise<void> {
  const earlier = problems.length;
  const target = typeof path === 'string' ? path : await path(page);
  await page.goto(`/console${target}`);
  const heading = page.getByRole('heading', { level: 1 }).first();
  await heading.waitFor();
  await page.locator('.loading, main [aria-busy=true]').first().waitFor({ state: 'detached' });
  const title = (await heading.textContent()) ?? '';
  if (REFUSALS.test(title) !== isRefusal) throw new Error(`/console${target} shows "${title}"`);
  await prepare?.(page);
  const [problem] = problems.slice(earlier);
  if (problem !== undefined) throw new Error(`/console${target}: ${problem}`);
}
