import { z } from 'zod';
import { RegistryMoment } from '../dates.ts';
import { TransmissionKind } from '../enums.ts';
import { Timestamp } from '../machine/acknowledgment.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { TransmissionDetail, TransmissionItem } from './records.ts';

/** The most transmissions that one request sends again. */
export const SEND_AGAIN_MAX = 1_000;

export const WorkerItem = z
  .strictObject({
    id: z.uuid(),
    isAlive: z.boolean().describe('True if it reported in the last 15 seconds.'),
    startedAt: Timestamp,
    seenAt: Timestamp,
    lastTakenAt: Timestamp.nullable(),
    settled: z.int().min(0).describe('The transmissions that it completed since it started.'),
    settledPerSecond: z.number().min(0).describe('At its last report.'),
  })
  .meta({ id: 'WorkerItem' });
export type WorkerItem = z.infer<typeof WorkerItem>;

export const QueueState = z
  .strictObject({
    depth: z.int().min(0).describe('Transmissions in progress that are not parked.'),
    jobs: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Jobs in the queue; null when the queue is unreachable. The rows decide, not the jobs.',
      ),
    oldestSeconds: z
      .number()
      .min(0)
      .describe('Age of the oldest RECEIVED transmission; 0 when none waits.'),
    lastTakenSeconds: z
      .number()
      .min(0)
      .nullable()
      .describe('Seconds since a worker last claimed a transmission.'),
    receivedPerSecond: z.number().min(0).describe('Over at most the last minute.'),
    settledPerSecond: z.number().min(0).describe('Completed by all live workers.'),
    parked: z.int().min(0),
    imports: z.int().min(0).describe('Reference data imports in progress.'),
    workers: z
      .array(WorkerItem)
      .describe('The workers that reported in the last day, the latest first.'),
  })
  .meta({ id: 'QueueState' });
export type QueueState = z.infer<typeof QueueState>;

const filterFields = {
  kind: TransmissionKind.optional(),
  organizationCode: text(32).min(1).optional(),
  lastError: text(300).min(1).optional().describe('A part of the text.'),
  parkedFrom: RegistryMoment.optional().describe('At or after.'),
  parkedTo: RegistryMoment.optional().describe('Before.'),
};

export const ParkedFilter = z.strictObject(filterFields).meta({ id: 'ParkedFilter' });
export type ParkedFilter = z.infer<typeof ParkedFilter>;

export const ParkedGroupQuery = z.object(filterFields).meta({ id: 'ParkedGroupQuery' });

export const ParkedQuery = PageQuery.extend(filterFields).meta({ id: 'ParkedQuery' });
export type ParkedQuery = z.infer<typeof ParkedQuery>;

/** The groups that one answer lists. */
export const PARKED_GROUPS_MAX = 100;

export const ParkedGroups = z
  .strictObject({
    total: z.int().min(0).describe('The parked transmissions that match the filter.'),
    groups: z
      .array(
        z.strictObject({
          lastError: z.string().nullable(),
          count: z.int().min(1),
          firstParkedAt: Timestamp,
          lastParkedAt: Timestamp,
        }),
      )
      .describe(`The largest first: at most ${PARKED_GROUPS_MAX}.`),
  })
  .meta({ id: 'ParkedGroups' });
export type ParkedGroups = z.infer<typeof ParkedGroups>;

export const SentAgain = z
  .strictObject({
    sent: z.int().min(0),
    left: z
      .int()
      .min(0)
      .describe('Transmissions that still match the filter: repeat the request for them.'),
  })
  .meta({ id: 'SentAgain' });
export type SentAgain = z.infer<typeof SentAgain>;

export const QUEUE_ENDPOINTS = {
  readQueue: {
    method: 'GET',
    path: '/admin/v1/queue',
    authentication: 'session',
    permission: 'queue:read',
    summary: 'Read the state of the queue',
    description: 'Depth, age, rates and the workers of the last day.',
    replies: { 200: { description: 'The current state.', data: QueueState } },
    errors: [],
  },
  listParked: {
    method: 'GET',
    path: '/admin/v1/queue/parked',
    authentication: 'session',
    permission: 'queue:read',
    summary: 'List parked transmissions',
    description:
      'Transmissions that were set aside after their last retry, with their last error; the longest parked first. They stay in progress until staff send them again.',
    query: ParkedQuery,
    replies: { 200: { description: 'A page of transmissions.', data: pageOf(TransmissionItem) } },
    errors: [],
  },
  groupParked: {
    method: 'GET',
    path: '/admin/v1/queue/parked/groups',
    authentication: 'session',
    permission: 'queue:read',
    summary: 'Group parked transmissions by their last error',
    description:
      'The filters of the list. `lastError` of a group is the filter for its transmissions.',
    query: ParkedGroupQuery,
    replies: { 200: { description: 'The groups.', data: ParkedGroups } },
    errors: [],
  },
  sendAgain: {
    method: 'POST',
    path: '/admin/v1/queue/parked/{transmissionReference}/send-again',
    authentication: 'session',
    permission: 'queue:manage',
    summary: 'Send one parked transmission again',
    description:
      'The transmission is due at once and has all its retries again. CONFLICT when it is not parked.',
    params: z.object({ transmissionReference: text(40).min(1) }),
    replies: { 200: { description: 'The transmission is queued.', data: SentAgain } },
    errors: ['CONFLICT'],
    errorData: { CONFLICT: TransmissionDetail },
  },
  sendAllAgain: {
    method: 'POST',
    path: '/admin/v1/queue/parked/send-again',
    authentication: 'session',
    permission: 'queue:manage',
    summary: 'Send parked transmissions again',
    description: `The transmissions that match the filter, or all without a filter: the longest parked first, at most ${SEND_AGAIN_MAX} per request.`,
    body: ParkedFilter,
    replies: { 200: { description: 'The transmissions are queued.', data: SentAgain } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
