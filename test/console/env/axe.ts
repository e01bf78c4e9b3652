import type { AxeResults } from 'axe-core';
import axe from 'axe-core';
import type { Visit } from './browser.ts';

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Makes `axe` available on the pages that the window opens from now on. */
export async function prepareAxe({ page }: Visit): Promise<void> {
  await page.addInitScript({ content: axe.source });
}

/** What the page violates of WCAG 2.2 AA, one line each. */
export async function checkAccessibility({ page }: Visit): Promise<string[]> {
  const options = JSON.stringify({ runOnly: { type: 'tag', values: STANDARDS } });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any[0]?.message ?? ''}`),
  );
}
