import { checkAccessibility } from './axe.ts';
import type { Visit } from './browser.ts';

/** The windows in which every page must meet WCAG 2.2 AA. */
export const WINDOWS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 320, height: 640 } },
] as const;

/** The page meets WCAG 2.2 AA and is no wider than its window. The visit needs `prepareAxe`. */
export async function expectAccessible(visit: Visit): Promise<void> {
  expect(await checkAccessibility(visit)).toEqual([]);
  const overflow = await visit.page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
}
