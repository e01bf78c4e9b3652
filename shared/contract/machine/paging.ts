import { z } from 'zod';
import { text } from '../text.ts';

export const PAGE_LIMIT_MAX = 200;
export const PAGE_LIMIT_DEFAULT = 50;

/** The rows of one page of an export: more than a caller can ask for. Such a page is not counted. */
export const EXPORT_PAGE_ROWS = 1_000;

/** A whole number as JSON writes it. */
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d{0,14})$/;

const NOT_WHOLE = 'Expected a whole number, in decimal digits.';

/** A whole number in a query: decimal digits only, not the other forms that JavaScript accepts. */
export function wholeNumber(min: number, max: number) {
  const number = z
    .int({ error: ({ code }) => (code === 'invalid_type' ? NOT_WHOLE : undefined) })
    .min(min)
    .max(max);
  return z.preprocess(
    (value) => (typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : value),
    number,
  );
}

/** The query of every list of the staff realm. A list adds its filters with `.extend`. */
export const PageQuery = z.object({
  cursor: text(512).min(1).optional().describe('The nextCursor of the previous page.'),
  limit: wholeNumber(1, PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** A page of a list that is not counted, because a count would read all of it. */
export interface PageWithoutTotal<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A page of a list. `total` counts the matches on all pages. */
export interface Page<Item> extends PageWithoutTotal<Item> {
  readonly total: number;
}

export function pageWithoutTotalOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
  });
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return pageWithoutTotalOf(item).extend({
    total: z.int().min(0).describe('The number of matches on all pages.'),
  });
}
