import { z } from 'zod';

export const PAGE_LIMIT_MAX = 200;
export const PAGE_LIMIT_DEFAULT = 50;

/** The query of every list of the staff realm; filters are added by `.extend`. */
export const PageQuery = z.object({
  cursor: z.string().min(1).max(512).optional().describe('The nextCursor of the page before.'),
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).default(PAGE_LIMIT_DEFAULT),
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
