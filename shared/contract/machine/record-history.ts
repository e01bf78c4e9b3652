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

// The history of a record in pages (D33), below the path of the record, for organizations and for staff.

const VehicleHistoryQuery = PageQuery.extend({
  removed: z
    .stringbool()
    .optional()
    .describe('true: only removed vehicles; false: only the others.'),
});
const FlagHistoryQuery = PageQuery.extend({ status: FlagStatus.optional() });

export type HistoryQuery = PageQuery;
export type VehicleHistoryQuery = z.infer<typeof VehicleHistoryQuery>;
export type FlagHistoryQuery = z.infer<typeof FlagHistoryQuery>;

/** A version in a path. Any other text is NOT_FOUND. */
const version = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .describe('A version of the record, from 1.');

const PAGE_ENDS_EARLY = 'A page has fewer items where it would exceed 2 MB.';
const COUNTED = `\`total\` stops counting at ${TOTAL_COUNTED_MAX}.`;

export interface HistoryPart {
  /** The path below the path of the record. */
  readonly below: `/${string}`;
  /** The path parameters besides the registry reference. */
  readonly versionParams: Readonly<Record<string, z.ZodType>>;
  readonly summary: string;
  readonly description: string;
  readonly query: z.ZodObject;
  readonly replies: Readonly<Record<number, Reply>>;
}

/** The endpoint of a part. `access` is what differs between organizations and staff: who may read it, and its errors. */
export function makeHistoryEndpoint<
  Part extends HistoryPart,
  const Path extends string,
  const Access extends object,
>(part: Part, recordPath: Path, registryReference: z.ZodString, access: Access) {
  return {
    method: 'GET',
    path: `${recordPath}${part.below}`,
    ...access,
    summary: part.summary,
    description: part.description,
    params: z.object({ registryReference, ...(part.versionParams as Part['versionParams']) }),
    query: part.query as Part['query'],
    replies: part.replies as Part['replies'],
  } as const;
}

export const HISTORY_PARTS = {
  listRecordVersions: {
    below: '/versions',
    versionParams: {},
    summary: 'List the versions of a record',
    description: `The newest first. The newest ${SNAPSHOTS_LISTED_MAX} have their snapshots, as far as they fit. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of versions.', data: pageOf(RecordVersion) } },
  },
  readRecordVersion: {
    below: '/versions/{version}',
    versionParams: { version },
    summary: 'Read one version of a record',
    description:
      'The version with its snapshot. If the snapshot does not fit into an answer, its `vehicles` hold the path of the list of vehicles.',
    query: z.object({}),
    replies: { 200: { description: 'The version.', data: RecordVersion } },
  },
  listVersionVehicles: {
    below: '/versions/{version}/vehicles',
    versionParams: { version },
    summary: 'List the vehicles of a snapshot',
    description: `The entries of \`snapshot.vehicles\` in the same order. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of vehicles.', data: pageOf(z.looseObject({})) } },
  },
  listRecordAmendments: {
    below: '/amendments',
    versionParams: {},
    summary: 'List the amendments of a record',
    description: `The newest first, with diffs as far as they fit. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of amendments.', data: pageOf(RecordAmendment) } },
  },
  listAmendmentDiff: {
    below: '/amendments/{toVersion}/diff',
    versionParams: { toVersion: version },
    summary: 'List what an amendment changed',
    description: `The diff of the amendment that created this version, in its order. ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: { 200: { description: 'A page of the diff.', data: pageOf(DiffEntry) } },
  },
  listRecordTransmissions: {
    below: '/transmissions',
    versionParams: {},
    summary: 'List the transmissions of a record',
    description: `The transmissions that created, changed or tried to change the record and that you may look up, the newest first. ${COUNTED} ${PAGE_ENDS_EARLY}`,
    query: PageQuery,
    replies: {
      200: { description: 'A page of transmissions.', data: pageOf(RecordTransmission) },
    },
  },
  listRecordVehicles: {
    below: '/vehicles',
    versionParams: {},
    summary: 'List the vehicles of a record',
    description: `Present and removed vehicles, the last added first. ${PAGE_ENDS_EARLY}`,
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
