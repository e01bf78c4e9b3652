import { z } from 'zod';
import { Timestamp } from '../acknowledgment.ts';
import { WAIT_SECONDS_MAX } from '../bounds.ts';
import type { Endpoint } from '../endpoints.ts';
import { BODY_BYTES_MAX, VEHICLES_MAX } from '../transmission.ts';
import { TRANSMISSIONS_LIMIT_MAX } from '../transmissions/list.ts';

/** The limits that are the same for all callers; also `x-limits` of the OpenAPI document (D39). */
export const COMMON_LIMITS = {
  bodyBytes: BODY_BYTES_MAX,
  vehicles: VEHICLES_MAX,
  pageMax: TRANSMISSIONS_LIMIT_MAX,
  waitMaxSeconds: WAIT_SECONDS_MAX,
} as const;

const count = (description: string) => z.int().min(0).describe(description);

/** D39. */
export const CallerLimits = z
  .strictObject({
    perMinute: count('Requests of your client per minute.'),
    remaining: count('Requests left in this minute, after this one.'),
    resetSeconds: count('Seconds until the next minute of the quota begins.'),
    bodyBytes: count('The longest body.'),
    vehicles: count('The most vehicles in a body; the rule set may allow fewer.'),
    pageMax: count(
      'The largest `limit` of your transmissions and changes; other lists allow fewer.',
    ),
    waitMaxSeconds: count('The longest `Prefer: wait`.'),
    ruleSet: z
      .strictObject({
        id: z.uuid(),
        coverageTypes: z.array(z.string()),
        maxCoverageDays: z.int(),
        maxVehiclesPerCertificate: z.int(),
        expiringWithinDays: z.int(),
        flagNoMatch: z.boolean(),
        flagForReview: z.boolean(),
      })
      .describe('The rule set in force. The regulator can change it.'),
    registryTimeZone: z.string().describe('The time zone of calendar dates.'),
    serverTime: Timestamp.describe('Compare your clock with it: signatures need the right time.'),
    environment: z.enum(['production', 'sandbox']),
  })
  .meta({ id: 'CallerLimits' });
export type CallerLimits = z.infer<typeof CallerLimits>;

export const READ_LIMITS = {
  method: 'GET',
  path: '/limits',
  authentication: 'signed',
  scope: null,
  summary: 'Read the limits that hold for you now',
  description:
    'The quota of your client, the sizes that the registry accepts, the rule set in force and the time of the server. A token of any scope will do. Counts as one request.',
  replies: { 200: { description: 'The limits.', data: CallerLimits } },
  errors: ['VALIDATION_FAILED'],
} as const satisfies Endpoint;
