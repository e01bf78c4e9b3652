import { z } from 'zod';
import { TransmissionKind } from '../enums.ts';
import { Timestamp } from '../machine/acknowledgment.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { RegistryMoment } from './fields.ts';
import { TransmissionItem } from './records.ts';

/** Transmissions that one request sends again at most. */
export const SEND_AGAIN_MAX = 1_000;

export const WorkerItem = z
  .strictObject({
    id: z.uuid(),
    isAlive: z.boolean().describe('Seen in the last 15 seconds.'),
    startedAt: Timestamp,
    seenAt: Timestamp,
    lastTakenAt: Timestamp.nullable(),
    settled: z.int().min(0).describe('Since it started.'),
    settledPerSecond: z.number().min(0).describe('When last seen.'),
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
      .describe('Wake-ups in the queue; null when it is out of reach. The rows count, not these.'),
    oldestSeconds: z.number().min(0).describe('Age of the oldest RECEIVED one; 0 when none waits.'),
    lastTakenSeconds: z.number().min(0).nullable().describe('Since a worker last took one.'),
    receivedPerSecond: z.number().min(0).describe('Over the last minute at most.'),
    settledPerSecond: z.number().min(0).describe('By all workers that are alive.'),
    parked: z.int().min(0),
    imports: z.int().min(0).describe('Reference data imports in progress.'),
    workers: z.array(WorkerItem).describe('Those seen in the last day, the latest first.'),
  })
  .meta({ id: 'QueueState' });
export type QueueState = z.infer<typeof QueueState>;

const filterFields = {
  kind: TransmissionKind.optional(),
  organizationCode: text(32).min(1).optional(),
  lastError: text(300).min(1).optional().describe('Any part of it.'),
  parkedFrom: RegistryMoment.optional().describe('At or after.'),
  parkedTo: RegistryMoment.optional().describe('Before.'),
};

export const ParkedFilter = z.strictObject(filterFields).meta({ id: 'ParkedFilter' });
export type ParkedFilter = z.infer<typeof ParkedFilter>;

export const ParkedQuery = PageQuery.extend(filterFields).meta({ id: 'ParkedQuery' });
export type ParkedQuery = z.infer<typeof ParkedQuery>;

export const SentAgain = z
  .strictObject({
    sent: z.int().min(0),
    left: z.int().min(0).describe('That the filter still leaves: send again for them.'),
  })
  .meta({ id: 'SentAgain' });
export type SentAgain = z.infer<typeof SentAgain>;

export const QUEUE_ENDPOINTS = {
  readQueue: {
    method: 'GET',
    path: '/admin/v1/queue',
    authentication: 'session',
    permission: 'queue:read',
    summary: 'What waits and who works',
    description: 'Depth, age, rates and the workers seen lately.',
    replies: { 200: { description: 'As of now.', data: QueueState } },
    errors: [],
  },
  listParked: {
    method: 'GET',
    path: '/admin/v1/queue/parked',
    authentication: 'session',
    permission: 'queue:read',
    summary: 'List parked transmissions',
    description:
      'Set aside after their last try, with their last error; the longest parked first. They stay in progress until they are sent again.',
    query: ParkedQuery,
    replies: { 200: { description: 'A page of transmissions.', data: pageOf(TransmissionItem) } },
    errors: [],
  },
  sendAgain: {
    method: 'POST',
    path: '/admin/v1/queue/parked/{transmissionReference}/send-again',
    authentication: 'session',
    permission: 'queue:manage',
    summary: 'Send one parked transmission again',
    description: 'It is due at once, with all its tries before it. CONFLICT when it is not parked.',
    params: z.object({ transmissionReference: text(40).min(1) }),
    replies: { 200: { description: 'It is on its way.', data: SentAgain } },
    errors: ['CONFLICT'],
  },
  sendAllAgain: {
    method: 'POST',
    path: '/admin/v1/queue/parked/send-again',
    authentication: 'session',
    permission: 'queue:manage',
    summary: 'Send parked transmissions again',
    description: `Those that the filter leaves, all without one; the longest parked first, ${SEND_AGAIN_MAX} at a time.`,
    body: ParkedFilter,
    replies: { 200: { description: 'They are on their way.', data: SentAgain } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
