import { z } from 'zod';

/** Of two who change what both have read, the second is refused. */
export const ExpectedVersion = z
  .int()
  .min(1)
  .describe('The version that you have read; when it is another by now: CONFLICT.');

export const Name = z.string().trim().min(1).max(255);

/** A calendar date of the years that the registry takes. */
export const RegistryDate = z.iso
  .date()
  .refine((date) => date >= '1900-01-01' && date <= '2999-12-31')
  .describe('1900-01-01 to 2999-12-31.');

/** A moment of those years, with its offset; PostgreSQL knows no year 0. */
export const RegistryMoment = z.iso
  .datetime({ offset: true })
  .refine((moment) => moment >= '1900-01-02' && moment < '2999-12-31')
  .describe('1900 to 2999.');

/** Looked for in codes and names, whatever the case. */
export const SearchText = z.string().trim().min(1).max(255);

export function isEachOnce(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
