import { z } from 'zod';
import { text } from '../text.ts';

export const PAGE_LIMIT_MAX = 200;
export const PAGE_LIMIT_DEFAULT = 50;

/** As JSON writes one. */
const WHOLE_NUMBER = /^-?(?:0|[1-9]\d{0,14})$/;

/** A whole number of a query: digits, and nothing else that JavaScript would take for a number. */
export function wholeNumber(min: number, max: number) {
  const number = z.int('Expected a whole number, in decimal digits.').min(min).max(max);
  return z.preprocess(
    (sent) => (typeof sent === 'string' && WHOLE_NUMBER.test(sent) ? Number(sent) : sent),
    number,
  );
}

/** The query of every list of the staff realm; filters are added by `.extend`. */
export const PageQuery = z.object({
  cursor: text(512).min(1).optional().describe('The nextCursor of the page before.'),
  limit: wholeNumber(1, PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** A page of a list; `total` counts what the filters leave, on all pages together. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  readonly total: number;
}

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
    total: z.int().min(0).describe('Of all pages together.'),
  });
}
