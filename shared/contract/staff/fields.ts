import { z } from 'zod';
import { OUT_OF_RANGE } from '../dates.ts';
import { staffText } from '../text.ts';

/** Optimistic locking: the second of two concurrent changes gets CONFLICT. */
export const ExpectedVersion = z
  .int()
  .min(1)
  .describe('The version that you have read. CONFLICT when the version has changed since.');

export const Name = staffText(255);

/** A moment with its offset, within the years that the registry accepts. PostgreSQL has no year 0. */
export const RegistryMoment = z.iso
  .datetime({ offset: true, abort: true })
  .refine((moment) => moment >= '1900-01-02' && moment < '2999-12-31', {
    ...OUT_OF_RANGE,
    error: 'Must lie after 1900-01-01 and before 2999-12-31.',
  })
  .describe('1900 to 2999.');

/** A text to search for in codes and names. Case does not matter. */
export const SearchText = staffText(255);

export function isEachOnce(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

export const EACH_ONCE = 'Each may be given only once.';
