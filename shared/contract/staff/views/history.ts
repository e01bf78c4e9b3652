import { z } from 'zod';
import { RegistryMoment } from '../../dates.ts';
import { Timestamp } from '../../machine/acknowledgment.ts';
import type { StaffEndpoint } from '../endpoint.ts';

/** The points of one series (D83). */
export const SERIES_POINTS_MAX = 1_500;
/** Workers keep the history this long. */
export const HISTORY_DAYS = 90;

const MINUTE_MS = 60_000;
export const STEP_MS = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
} as const;

const between = {
  from: RegistryMoment.optional().describe('At or after. Default: a week before `to`.'),
  to: RegistryMoment.optional().describe('Before. Default: now.'),
};
const POINTS = `At most ${SERIES_POINTS_MAX} points. A day begins in the registry's time zone.`;

export const QueueHistoryQuery = z
  .object({ ...between, step: z.enum(['minute', 'hour', 'day']).default('hour').describe(POINTS) })
  .meta({ id: 'QueueHistoryQuery' });
export type QueueHistoryQuery = z.infer<typeof QueueHistoryQuery>;

const amount = z.number().min(0);

export const QueueHistory = z
  .strictObject({
    points: z
      .array(
        z.strictObject({
          at: Timestamp.describe('The beginning of the step.'),
          depth: amount.describe('The average.'),
          depthMax: z.int().min(0),
          oldestSecondsMax: amount,
          parkedMax: z.int().min(0),
          settledPerSecond: amount.describe('The average.'),
          workersMin: z.int().min(0),
          feedLagSecondsMax: amount,
        }),
      )
      .describe('Steps without a live worker are missing.'),
  })
  .meta({ id: 'QueueHistory' });
export type QueueHistory = z.infer<typeof QueueHistory>;

export const SERIES_KEYS = ['status', 'errorCode', 'organization'] as const;

export const TransmissionSeriesQuery = z
  .object({
    ...between,
    step: z.enum(['hour', 'day']).default('hour').describe(POINTS),
    by: z
      .enum(SERIES_KEYS)
      .default('status')
      .describe('errorCode counts only REJECTED; organization is the transmitting one.'),
  })
  .meta({ id: 'TransmissionSeriesQuery' });
export type TransmissionSeriesQuery = z.infer<typeof TransmissionSeriesQuery>;

export const TransmissionSeries = z
  .strictObject({
    points: z
      .array(
        z.strictObject({
          at: Timestamp.describe('The beginning of the step.'),
          counts: z.array(
            z.strictObject({
              key: z.string().describe('A status, an error code, or the code of an organization.'),
              count: z.int().min(1),
            }),
          ),
        }),
      )
      .describe('By the time of receipt, and by the status when the hour was counted last.'),
    isComplete: z
      .boolean()
      .describe('False when a part was not counted yet, or when too much was received just now.'),
  })
  .meta({ id: 'TransmissionSeries' });
export type TransmissionSeries = z.infer<typeof TransmissionSeries>;

/** Mounted before the paths with a transmission's reference, which would match `series`. */
export const HISTORY_ENDPOINTS = {
  readQueueHistory: {
    method: 'GET',
    path: '/admin/v1/queue/history',
    authentication: 'session',
    permission: 'queue:read',
    summary: 'Read the history of the queue',
    description: `Depth, age, rates and the lag of the change feed, sampled once a minute by workers and kept for ${HISTORY_DAYS} days.`,
    query: QueueHistoryQuery,
    replies: { 200: { description: 'The history.', data: QueueHistory } },
    errors: [],
  },
  readTransmissionSeries: {
    method: 'GET',
    path: '/admin/v1/transmissions/series',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Count transmissions over time',
    description: `Counted for each hour by workers and kept for ${HISTORY_DAYS} days.`,
    query: TransmissionSeriesQuery,
    replies: { 200: { description: 'The series.', data: TransmissionSeries } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
