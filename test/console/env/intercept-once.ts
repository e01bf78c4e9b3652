import type { Page, Route } from 'playwright-core';

/**
 * Gives the first request to `url` to `answer`; later ones go to the registry. The route stays until the page is closed: a request that is
 * sent while Playwright takes a route away can stay unanswered.
 */
export async function interceptOnce(
  page: Page,
  url: string | RegExp,
  answer: (route: Route) => Promise<void>,
): Promise<void> {
  let isAnswered = false;
  await page.route(url, async (route) => {
    if (isAnswered) return await route.continue();
    isAnswered = true;
    await answer(route);
  });
}
