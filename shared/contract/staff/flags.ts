import { z } from 'zod';
import { FlagStatus, FlagType, Region } from '../enums.ts';
import { PageQuery, pageOf, wholeNumber } from '../machine/paging.ts';
import { RecordFlag } from '../machine/record.ts';
import { staffText, text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';

export const REVIEW_NOTES_CHARACTERS_MAX = 2_000;

export const FlagItem = RecordFlag.extend({
  insurerCode: z.string(),
  ageDays: z.int().min(0).describe('Whole days since the flag was raised.'),
}).meta({ id: 'FlagItem' });
export type FlagItem = z.infer<typeof FlagItem>;

export const FLAG_ORDERS = ['oldest', 'newest'] as const;
const days = () => wholeNumber(0, 36_500).optional();

export const FlagQuery = PageQuery.extend({
  status: FlagStatus.optional(),
  type: FlagType.optional(),
  region: Region.optional(),
  insurerCode: text(32).min(1).optional(),
  registryReference: text(40).min(1).optional(),
  ageDaysMin: days().describe('Raised at least this many days ago.'),
  ageDaysMax: days().describe('Raised at most this many days ago.'),
  order: z.enum(FLAG_ORDERS).default('oldest').describe('Which come first.'),
}).meta({ id: 'FlagQuery' });
export type FlagQuery = z.infer<typeof FlagQuery>;

export const ReviewBody = z
  .strictObject({ notes: staffText(REVIEW_NOTES_CHARACTERS_MAX, 'several') })
  .meta({ id: 'ReviewBody' });

const params = z.object({ flagId: z.uuid() });
const reviewed = { 200: { description: 'The flag as it is now.', data: FlagItem } };
const ONLY_OPEN =
  'CONFLICT when the flag is no longer OPEN, such as for the second of two reviewers.';

/** api.md, "Flag status". */
export const FLAG_ENDPOINTS = {
  listFlags: {
    method: 'GET',
    path: '/admin/v1/flags',
    authentication: 'session',
    permission: 'flags:read',
    summary: 'List flags',
    description: 'The flags of all organizations, the oldest first unless `order` says otherwise.',
    query: FlagQuery,
    replies: { 200: { description: 'A page of flags.', data: pageOf(FlagItem) } },
    errors: [],
  },
  readFlag: {
    method: 'GET',
    path: '/admin/v1/flags/{flagId}',
    authentication: 'session',
    permission: 'flags:read',
    summary: 'Read one flag',
    description: 'The flag as it is now.',
    params,
    replies: reviewed,
    errors: [],
  },
  clearFlag: {
    method: 'POST',
    path: '/admin/v1/flags/{flagId}/clear',
    authentication: 'session',
    permission: 'flags:review',
    summary: 'Clear a flag',
    description: `OPEN → CLEARED; reviewer, time and notes are recorded. ${ONLY_OPEN}`,
    params,
    body: ReviewBody,
    replies: reviewed,
    errors: ['CONFLICT'],
  },
  referFlag: {
    method: 'POST',
    path: '/admin/v1/flags/{flagId}/refer',
    authentication: 'session',
    permission: 'flags:review',
    summary: 'Refer a flag back to the insurer',
    description: `OPEN → REFERRED_TO_INSURER; reviewer, time and notes are recorded, and the insurer reads them in the record. An amendment that removes the cause moves it to RESOLVED_BY_AMENDMENT. ${ONLY_OPEN}`,
    params,
    body: ReviewBody,
    replies: reviewed,
    errors: ['CONFLICT'],
  },
} as const satisfies Record<string, StaffEndpoint>;
