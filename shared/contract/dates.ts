import { z } from 'zod';

/** The first and the last calendar date that the registry accepts. */
export const DATE_MIN = '1900-01-01';
export const DATE_MAX = '2999-12-31';

/** The finding for a well-formed date outside this range. */
export const OUT_OF_RANGE = {
  error: `Must be between ${DATE_MIN} and ${DATE_MAX}.`,
  params: { code: 'INVALID_DATE_RANGE' },
} as const;

/** A calendar date that the registry accepts. */
export const RegistryDate = z.iso
  .date({ abort: true })
  .refine((date) => date >= DATE_MIN && date <= DATE_MAX, OUT_OF_RANGE)
  .describe(`${DATE_MIN} to ${DATE_MAX}.`);

/** Offsets of 16 hours and more, which PostgreSQL does not read. */
const LARGE_OFFSET = /[+-](?:1[6-9]|2\d):\d{2}$/;

/** A moment with its offset, within the years that the registry accepts. PostgreSQL has no year 0. */
export const RegistryMoment = z.iso
  .datetime({ offset: true, abort: true })
  .refine((moment) => moment >= '1900-01-02' && moment < '2999-12-31', {
    ...OUT_OF_RANGE,
    error: 'Must lie after 1900-01-01 and before 2999-12-31.',
  })
  .refine((moment) => !LARGE_OFFSET.test(moment), 'The offset from UTC must be less than 16 hours.')
  .describe('1900 to 2999.');
