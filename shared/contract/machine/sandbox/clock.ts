import { z } from 'zod';

/** On every answer: production or sandbox (D40). */
export const ENVIRONMENT_HEADER = 'X-PPAI-Environment';

export const DAY_OFFSET_MAX = 3_650;

export const SandboxClockBody = z
  .strictObject({
    dayOffset: z
      .int()
      .min(-DAY_OFFSET_MAX)
      .max(DAY_OFFSET_MAX)
      .describe('Days by which the calendar of the sandbox is ahead of the real one; 0 resets it.'),
  })
  .meta({ id: 'SandboxClockBody' });

export const SandboxClock = z
  .strictObject({
    dayOffset: z.int().min(-DAY_OFFSET_MAX).max(DAY_OFFSET_MAX),
    today: z.iso.date().describe("The calendar date in the registry's time zone, moved."),
    now: z.iso.datetime().describe('The instant, which never moves.'),
  })
  .meta({ id: 'SandboxClock' });
export type SandboxClock = z.infer<typeof SandboxClock>;
