import { z } from 'zod';
import { RegistryMoment } from '../dates.ts';
import { FLAG_STATUSES, FLAG_TYPES, REGIONS } from '../enums.ts';
import { Timestamp } from '../machine/acknowledgment.ts';
import { PageQuery, pageOf, wholeNumber } from '../machine/paging.ts';
import { RecordFlag } from '../machine/record.ts';
import { Role } from '../staff.ts';
import { staffText, text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { severalCodes, severalOf } from './fields.ts';

export const REVIEW_NOTES_CHARACTERS_MAX = 2_000;

export const FlagAssignee = z
  .strictObject({ id: z.uuid(), email: z.string() })
  .meta({ id: 'FlagAssignee' });

export const FlagItem = RecordFlag.extend({
  insurerCode: z.string(),
  policyNumber: z.string(),
  cocNumber: z.string(),
  operatorName: z.string(),
  vehicleId: z.guid().nullable(),
  assignee: FlagAssignee.nullable().describe('Who works on it. Only staff see this.'),
  assignedAt: Timestamp.nullable(),
  ageDays: z.int().min(0).describe('Whole days since the flag was raised.'),
}).meta({ id: 'FlagItem' });
export type FlagItem = z.infer<typeof FlagItem>;

export const FLAG_ORDERS = ['oldest', 'newest'] as const;
const days = () => wholeNumber(0, 36_500).optional();

const filterFields = {
  status: severalOf(FLAG_STATUSES).optional(),
  type: severalOf(FLAG_TYPES).optional(),
  region: severalOf(REGIONS).optional(),
  insurerCode: severalCodes().optional(),
  registryReference: text(40).min(1).optional(),
  plateNumber: text(64).min(1).optional().describe('Normalized.'),
  ageDaysMin: days().describe('Raised at least this many days ago.'),
  ageDaysMax: days().describe('Raised at most this many days ago.'),
  assigned: z.stringbool().optional().describe('true: only flags with an assignee.'),
  assigneeId: z.uuid().optional(),
  reviewedBy: text(254).min(1).optional().describe('The e-mail address of the reviewer.'),
  reviewedFrom: RegistryMoment.optional().describe('At or after.'),
  reviewedTo: RegistryMoment.optional().describe('Before.'),
};

export const FlagFilter = z.object(filterFields).meta({ id: 'FlagFilter' });
export type FlagFilter = z.infer<typeof FlagFilter>;

export const FlagQuery = PageQuery.extend({
  ...filterFields,
  order: z.enum(FLAG_ORDERS).default('oldest').describe('Which come first.'),
}).meta({ id: 'FlagQuery' });
export type FlagQuery = z.infer<typeof FlagQuery>;

export const Assignee = z
  .strictObject({ id: z.uuid(), email: z.string(), role: Role })
  .meta({ id: 'Assignee' });
export type Assignee = z.infer<typeof Assignee>;

export const ReviewBody = z
  .strictObject({ notes: staffText(REVIEW_NOTES_CHARACTERS_MAX, 'several') })
  .meta({ id: 'ReviewBody' });

export const AssignBody = z
  .strictObject({
    assigneeId: z
      .uuid()
      .nullable()
      .describe('An active user who may review flags; null for nobody.'),
    expectedAssigneeId: z
      .uuid()
      .nullable()
      .optional()
      .describe('The assignee that you have read. CONFLICT when it has changed since.'),
  })
  .meta({ id: 'AssignBody' });
export type AssignBody = z.infer<typeof AssignBody>;

const params = z.object({ flagId: z.uuid() });
const reviewed = { 200: { description: 'The flag as it is now.', data: FlagItem } };
const errorData = { CONFLICT: FlagItem };
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
    description:
      'The flags of all organizations, the oldest first unless `order` says otherwise. All filters must match; one with several values matches any of them.',
    query: FlagQuery,
    replies: { 200: { description: 'A page of flags.', data: pageOf(FlagItem) } },
    csv: [
      'id',
      'type',
      'status',
      'createdAt',
      'ageDays',
      'registryReference',
      'policyNumber',
      'cocNumber',
      'plateNumber',
      'insurerCode',
      'insurerName',
      'operatorName',
      'region',
      'relatedRegistryReference',
      'relatedInsurerName',
      'message',
      'assignee.email',
      'reviewedBy',
      'reviewedAt',
      'reviewNotes',
    ],
    errors: [],
  },
  listFlagAssignees: {
    method: 'GET',
    path: '/admin/v1/flags/assignees',
    authentication: 'session',
    permission: 'flags:review',
    summary: 'List users who may review flags',
    description: 'Active users, by their addresses.',
    query: PageQuery,
    replies: { 200: { description: 'A page of users.', data: pageOf(Assignee) } },
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
    errorData,
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
    errorData,
  },
  reopenFlag: {
    method: 'POST',
    path: '/admin/v1/flags/{flagId}/reopen',
    authentication: 'session',
    permission: 'flags:review',
    summary: 'Reopen a flag',
    description:
      'CLEARED or REFERRED_TO_INSURER → OPEN. The review is removed from the flag; it and the notes of the reopening stay in the audit log. CONFLICT in any other status.',
    params,
    body: ReviewBody,
    replies: reviewed,
    errors: ['CONFLICT'],
    errorData,
  },
  assignFlag: {
    method: 'POST',
    path: '/admin/v1/flags/{flagId}/assign',
    authentication: 'session',
    permission: 'flags:review',
    summary: 'Assign a flag to a reviewer',
    description: `Insurers never see the assignment. It binds nobody: others may still review the flag. ${ONLY_OPEN}`,
    params,
    body: AssignBody,
    replies: reviewed,
    errors: ['CONFLICT'],
    errorData,
  },
} as const satisfies Record<string, StaffEndpoint>;
