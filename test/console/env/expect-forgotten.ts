import type { Page } from 'playwright-core';

/** Fails when a secret is in the page, in its URL or in the storage of the browser. */
export async function expectForgotten(page: Page, secrets: readonly string[]): Promise<void> {
  const storage = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])',
  );
  const fields = await page.evaluate<string>(
    'JSON.stringify([...document.querySelectorAll("input, textarea")].map(({ value }) => value))',
  );
  const places = [await page.content(), page.url(), storage, fields].join('\n');
  for (const secret of secrets) {
    expect(secret).not.toBe('');
    expect(places).not.toContain(secret);
  }
}
