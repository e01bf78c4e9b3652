import { z } from 'zod';
import { staffText, text } from '../text.ts';

/** Optimistic locking: the second of two concurrent changes gets CONFLICT. */
export const ExpectedVersion = z
  .int()
  .min(1)
  .describe('The version that you have read. CONFLICT when the version has changed since.');

export const Name = staffText(255);

const REASON_CHARACTERS_MAX = 1_000;

/** Why a member of staff does something, for the audit log. */
export const Reason = staffText(REASON_CHARACTERS_MAX, 'several')
  .optional()
  .describe('Why, for the audit log.');

export const ReasonBody = z.strictObject({ reason: Reason }).meta({ id: 'ReasonBody' });

/** A text to search for in codes and names. Case does not matter. */
export const SearchText = staffText(255);

export function isEachOnce(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

export const EACH_ONCE = 'Each may be given only once.';

/** Enough for all values of the longest vocabulary. */
const SEVERAL_CHARACTERS_MAX = 2_000;

/** One or more values of a vocabulary in a query, separated by commas. */
export function severalOf<Value extends string>(values: readonly Value[]) {
  return text(SEVERAL_CHARACTERS_MAX)
    .refine(
      (list) => list.split(',').every((one) => values.some((known) => known === one)),
      `Expected one or more of ${values.join(', ')}, separated by commas.`,
    )
    .transform((list) => list.split(','))
    .pipe(z.array(z.enum(values)))
    .describe(`One or more of ${values.join(', ')}, separated by commas.`);
}

/** One or more codes of organizations in a query, separated by commas. */
export function severalCodes() {
  return text(SEVERAL_CHARACTERS_MAX)
    .min(1)
    .transform((list) => list.split(','))
    .pipe(z.array(text(32).min(1)))
    .describe('One or more codes, separated by commas.');
}
