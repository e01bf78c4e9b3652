import { z } from 'zod';
import { FlagStatus, FlagType, Region, SecretKind, TransmissionStatus } from '../../enums.ts';
import { ERROR_CODES } from '../../errors.ts';
import { Timestamp } from '../../machine/acknowledgment.ts';
import type { StaffEndpoint } from '../endpoint.ts';
import { FlagFilter } from '../flags.ts';

/** The limits of counts (D76). */
export const FLAGS_COUNTED_MAX = 100_000;
export const TODAY_COUNTED_MAX = 100_000;
export const TOP_ERROR_CODES = 10;
export const ENDING_SECRETS_MAX = 50;

/** The ages by which flags are counted. Both ends are filters of the list of flags. */
export const FLAG_AGES = [
  { ageDaysMin: 0, ageDaysMax: 0 },
  { ageDaysMin: 1, ageDaysMax: 6 },
  { ageDaysMin: 7, ageDaysMax: 29 },
  { ageDaysMin: 30, ageDaysMax: null },
] as const;

const count = z.int().min(0);
const isComplete = z.boolean().describe('False when there are more than were counted.');

export const FlagCounts = z
  .strictObject({
    total: count.describe(`Counts up to ${FLAGS_COUNTED_MAX}.`),
    isComplete,
    byStatus: z.array(z.strictObject({ status: FlagStatus, count })),
    byType: z.array(z.strictObject({ type: FlagType, count })),
    byRegion: z.array(z.strictObject({ region: Region, count })),
    byInsurer: z.array(z.strictObject({ code: z.string(), name: z.string(), count })),
    byAge: z
      .array(z.strictObject({ ageDaysMin: z.int(), ageDaysMax: z.int().nullable(), count }))
      .describe('In the form of the filters of the list.'),
  })
  .meta({ id: 'FlagCounts' });
export type FlagCounts = z.infer<typeof FlagCounts>;

export const Overview = z
  .strictObject({
    openFlags: FlagCounts,
    transmissionsToday: z.strictObject({
      from: Timestamp.describe("The beginning of the registry's day."),
      total: count.describe(`Counts the latest ${TODAY_COUNTED_MAX}.`),
      isComplete,
      byStatus: z.array(z.strictObject({ status: TransmissionStatus, count })),
      topErrorCodes: z
        .array(z.strictObject({ errorCode: z.enum(ERROR_CODES), count }))
        .describe(`The ${TOP_ERROR_CODES} most frequent, the most frequent first.`),
    }),
    parked: count,
    importsInProgress: count,
    endingSecrets: z
      .array(
        z.strictObject({
          apiClientId: z.uuid(),
          clientName: z.string(),
          organizationCode: z.string(),
          kind: SecretKind,
          version: z.int().min(1),
          expiresAt: Timestamp,
        }),
      )
      .describe(`Secrets in their overlap, the first to end first: at most ${ENDING_SECRETS_MAX}.`),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof Overview>;

/** Mounted before the paths with a flag's id, which would match `counts`. */
export const FLAG_COUNT_ENDPOINTS = {
  countFlags: {
    method: 'GET',
    path: '/admin/v1/flags/counts',
    authentication: 'session',
    permission: 'flags:read',
    summary: 'Count flags',
    description: 'The flags that match the filters, by status, type, region, insurer and age.',
    query: FlagFilter,
    replies: { 200: { description: 'The counts.', data: FlagCounts } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;

export const OVERVIEW_ENDPOINTS = {
  readOverview: {
    method: 'GET',
    path: '/admin/v1/overview',
    authentication: 'session',
    permission: 'records:read',
    summary: 'Read the overview',
    description:
      'The work that waits and what happened today, as numbers. Each is the total of a filtered list.',
    replies: { 200: { description: 'The overview.', data: Overview } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
