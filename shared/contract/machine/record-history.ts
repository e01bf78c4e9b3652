import { z } from 'zod';
import { FlagStatus } from '../enums.ts';
import { SNAPSHOTS_LISTED_MAX, TOTAL_COUNTED_MAX } from './bounds.ts';
import type { Reply } from './endpoints.ts';
import { PageQuery, pageOf } from './paging.ts';
import {
  DiffEntry,
  RecordAmendment,
  RecordFlag,
  RecordTransmission,
  RecordVehicle,
  RecordVersion,
} from './record.ts';

// The history of a record page by page (D33), under the path of the record: for organizations and for staff alike.

const VehicleHistoryQuery = PageQuery.extend({
  removed: z.stringbool().optional().describe('Only those that were removed, or only the others.'),
});
const FlagHistoryQuery = PageQuery.extend({ status: FlagStatus.optional() });

export type HistoryQuery = PageQuery;
export type VehicleHistoryQuery = z.infer<typeof VehicleHistoryQuery>;
export type FlagHistoryQuery = z.infer<typeof FlagHistoryQuery>;

/** A whole number in a path; anything else names nothing. */
const version = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .describe('A version of the record, from 1.');

const PAGE_ENDS_EARLY = 'A page ends early where it would exceed 2 MB.';
const COUNTED = `\`total\` counts no further than ${TOTAL_COUNTED_MAX}.`;

export interface HistoryPart {
  /** Below the path of the record. */
  readonly below: `/${string}`;
  /** The parameters of the path besides the record's. */
  readonly versionParams: Readonly<Record<string, z.ZodType>>;
  readonly summary: string;
  readonly description: string;
  readonly query: z.ZodObject;
  readonly replies: Readonly<Record<number, Reply>>;
}

export const HISTORY_PARTS = {
  listRecordVersions: {
    below: '/versions',
    versionParams: {},
    summary: 'List the versions of a record',
    description: `The newest first. Of the newest ${SNAPSHOTS_LISTED_MAX} with their snapshots, as far as they fit. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of versions.', data: pageOf(RecordVersion) } },
  },
  readRecordVersion: {
    below: '/versions/{version}',
    versionParams: { version },
    summary: 'Read one version of a record',
    description:
      'With its snapshot. Where vehicles of an earlier release make it too long for an answer, its `vehicles` are a reference to where they are.',
    query: z.object({}),
    replies: { 200: { description: 'The version.', data: RecordVersion } },
  },
  listVersionVehicles: {
    below: '/versions/{version}/vehicles',
    versionParams: { version },
    summary: 'List the vehicles of a snapshot',
    description: `As in \`snapshot.vehicles\`, in its order. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of vehicles.', data: pageOf(z.looseObject({})) } },
  },
  listRecordAmendments: {
    below: '/amendments',
    versionParams: {},
    summary: 'List the amendments of a record',
    description: `The newest first, with their diffs as far as they fit. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of amendments.', data: pageOf(RecordAmendment) } },
  },
  listAmendmentDiff: {
    below: '/amendments/{toVersion}/diff',
    versionParams: { toVersion: version },
    summary: 'List what an amendment changed',
    description: `The diff of the amendment that made this version, in its order. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of the diff.', data: pageOf(DiffEntry) } },
  },
  listRecordTransmissions: {
    below: '/transmissions',
    versionParams: {},
    summary: 'List the transmissions of a record',
    description: `Those that made, changed or tried to change it, as far as you may look them up; the newest first. ${COUNTED} ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: {
      200: { description: 'A page of transmissions.', data: pageOf(RecordTransmission) },
    },
  },
  listRecordVehicles: {
    below: '/vehicles',
    versionParams: {},
    summary: 'List the vehicles of a record',
    description: `Those that are on it and those that were; the last to come onto it first. ${PAGE_ENDS_EARLY}`,
    query: VehicleHistoryQuery,
    replies: { 200: { description: 'A page of vehicles.', data: pageOf(RecordVehicle) } },
  },
  listRecordFlags: {
    below: '/flags',
    versionParams: {},
    summary: 'List the flags of a record',
    description: `The newest first. ${COUNTED} ${PAGE_ENDS_EARLY}`,
    query: FlagHistoryQuery,
    replies: { 200: { description: 'A page of flags.', data: pageOf(RecordFlag) } },
  },
} as const satisfies Record<string, HistoryPart>;

export type HistoryName = keyof typeof HISTORY_PARTS;
