import type { Page } from 'playwright-core';

type Item = Readonly<Record<string, unknown>>;

/** `data` of a GET of the staff API, in the session of the window. */
async function readApi(page: Page, path: string): Promise<Item> {
  const request = `fetch(${JSON.stringify(path)}).then((response) => response.json())`;
  const { data } = await page.evaluate<{ data: Item | null }>(request);
  if (data === null) throw new Error(`GET ${path} was refused`);
  return data;
}

/** A text member of the first item of a list. Throws when the list is empty. */
export async function findFirst(page: Page, path: string, member = 'id'): Promise<string> {
  const { items } = await readApi(page, path);
  const [first] = items as Item[];
  if (first === undefined) throw new Error(`the demonstration has nothing at ${path}`);
  return String(first[member]);
}
