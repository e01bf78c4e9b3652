import { z } from 'zod';
import { RegistryMoment } from '../dates.ts';
import { CoverageStatus, TERMINAL_STATUSES } from '../enums.ts';
import { PageQuery, pageOf, wholeNumber } from '../machine/paging.ts';
import { OrganizationSummary } from '../machine/record.ts';
import { staffText } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { EACH_ONCE, ExpectedVersion, isEachOnce } from './fields.ts';

export const RULE_SET_STATUSES = ['DRAFT', 'SCHEDULED', 'ACTIVE', 'SUPERSEDED'] as const;
export const RuleSetStatus = z
  .enum(RULE_SET_STATUSES)
  .describe('SCHEDULED: activated for a future moment.')
  .meta({ id: 'RuleSetStatus' });
export type RuleSetStatus = z.infer<typeof RuleSetStatus>;

export const TRIED_TRANSMISSIONS_MAX = 200;

const COVERAGE_TYPE =
  'Expected an upper-case letter, then at most 63 upper-case letters, digits and underscores.';

const values = {
  coverageTypes: z
    .array(z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, COVERAGE_TYPE))
    .min(1)
    .max(100)
    .refine(isEachOnce, EACH_ONCE)
    .describe('Upper-case letters, digits and underscores; each type once.'),
  maxCoverageDays: z.int().min(1).max(3_660),
  maxVehiclesPerCertificate: z.int().min(1).max(500),
  expiringWithinDays: z
    .int()
    .min(0)
    .max(366)
    .describe('A record is EXPIRING from this many days before its end.'),
  flagNoMatch: z.boolean().describe('Whether NO_MATCH of level 4 raises VEHICLE_MISMATCH.'),
  flagForReview: z.boolean().describe('Whether FOR_REVIEW of level 4 raises VEHICLE_MISMATCH.'),
};
const note = staffText(1_000, 'several').nullable();

export const RuleSet = z
  .strictObject({
    id: z.uuid(),
    status: RuleSetStatus,
    ...values,
    note,
    activeFrom: z.iso.datetime().nullable().describe('Null for a draft.'),
    activeUntil: z.iso
      .datetime()
      .nullable()
      .describe('When the next rule set takes over; null when none is scheduled.'),
    version: z.int().min(1).describe('Grows with each change.'),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'RuleSet' });
export type RuleSet = z.infer<typeof RuleSet>;

export const RuleSetQuery = PageQuery.extend({ status: RuleSetStatus.optional() }).meta({
  id: 'RuleSetQuery',
});
export type RuleSetQuery = z.infer<typeof RuleSetQuery>;

const changes = z.strictObject({ ...values, note }).partial();

export const DraftRuleSetBody = changes.meta({ id: 'DraftRuleSetBody' });
export type DraftRuleSetBody = z.infer<typeof DraftRuleSetBody>;

export const ChangeRuleSetBody = changes
  .extend({ expectedVersion: ExpectedVersion })
  .meta({ id: 'ChangeRuleSetBody' });
export type ChangeRuleSetBody = z.infer<typeof ChangeRuleSetBody>;

export const ActivateRuleSetBody = z
  .strictObject({
    activeFrom: RegistryMoment.optional().describe('A future moment; now when omitted.'),
    expectedVersion: ExpectedVersion,
  })
  .meta({ id: 'ActivateRuleSetBody' });
export type ActivateRuleSetBody = z.infer<typeof ActivateRuleSetBody>;

export const WithdrawRuleSetBody = z
  .strictObject({ expectedVersion: ExpectedVersion })
  .meta({ id: 'WithdrawRuleSetBody' });

export const TrialQuery = z
  .object({
    last: wholeNumber(1, TRIED_TRANSMISSIONS_MAX)
      .default(TRIED_TRANSMISSIONS_MAX)
      .describe('How many of the latest terminal transmissions to judge.'),
  })
  .meta({ id: 'TrialQuery' });

const TrialVerdict = z
  .strictObject({
    status: z.enum(TERMINAL_STATUSES),
    errorCode: z.string().nullable(),
    coverageStatus: CoverageStatus.nullable(),
  })
  .meta({ id: 'TrialVerdict' });
export type TrialVerdict = z.infer<typeof TrialVerdict>;

export const VERDICT_CHANGES = ['ADDED', 'REMOVED'] as const;

const VerdictDifference = z
  .strictObject({
    change: z.enum(VERDICT_CHANGES).describe('The change under the tried rule set.'),
    kind: z.enum(['FINDING', 'FLAG']),
    code: z.string().describe('Detail code or flag type.'),
    count: z.int().min(1),
    field: z.string().nullable().describe('The field of the first occurrence.'),
    message: z.string().describe('The message of the first occurrence.'),
  })
  .meta({ id: 'VerdictDifference' });
export type VerdictDifference = z.infer<typeof VerdictDifference>;

const TriedTransmission = z
  .strictObject({
    transmissionReference: z.string(),
    externalTransactionId: z.string(),
    transmittingOrg: OrganizationSummary,
    receivedAt: z.iso.datetime(),
    recordedStatus: z.enum(TERMINAL_STATUSES).describe('The stored status, which does not change.'),
    present: TrialVerdict.describe('The verdict under the rule set in force.'),
    tried: TrialVerdict.describe('The verdict under the tried rule set.'),
    differences: z.array(VerdictDifference).describe('Empty when only coverageStatus differs.'),
  })
  .meta({ id: 'TriedTransmission' });
export type TriedTransmission = z.infer<typeof TriedTransmission>;

export const RuleSetTrial = z
  .strictObject({
    ruleSetId: z.uuid(),
    presentRuleSetId: z.uuid(),
    judged: z
      .int()
      .min(0)
      .describe(
        'The number of judged transmissions. It is lower than requested when there are no more, or when they contain very many vehicles.',
      ),
    moves: z
      .array(
        z.strictObject({
          from: z.enum(TERMINAL_STATUSES),
          to: z.enum(TERMINAL_STATUSES),
          count: z.int().min(1),
        }),
      )
      .describe('The numbers of transmissions that would get another status.'),
    byCode: z
      .array(
        z.strictObject({
          change: z.enum(VERDICT_CHANGES),
          kind: z.enum(['FINDING', 'FLAG']),
          code: z.string(),
          transmissions: z.int().min(1),
        }),
      )
      .describe('The numbers of transmissions that would gain or lose a finding or flag.'),
    byOrganization: z
      .array(z.strictObject({ organization: OrganizationSummary, transmissions: z.int().min(1) }))
      .describe('The numbers of transmissions in `changed`, by the transmitting organization.'),
    changed: z
      .array(TriedTransmission)
      .describe(
        `The latest first, all ${TRIED_TRANSMISSIONS_MAX} at most; all other verdicts would stay the same.`,
      ),
  })
  .meta({ id: 'RuleSetTrial' });
export type RuleSetTrial = z.infer<typeof RuleSetTrial>;

const params = z.object({ ruleSetId: z.uuid() });
const shown = { 200: { description: 'The rule set as it is now.', data: RuleSet } };

/** api.md, "Versioning", 3. An activated rule set never changes, and no rule set is ever removed. */
export const RULE_SET_ENDPOINTS = {
  listRuleSets: {
    method: 'GET',
    path: '/admin/v1/rule-sets',
    authentication: 'session',
    permission: 'rules:read',
    summary: 'List rule sets',
    description: 'The whole history and all drafts, the newest draft first.',
    query: RuleSetQuery,
    replies: { 200: { description: 'A page of rule sets.', data: pageOf(RuleSet) } },
    errors: [],
  },
  draftRuleSet: {
    method: 'POST',
    path: '/admin/v1/rule-sets',
    authentication: 'session',
    permission: 'rules:manage',
    summary: 'Draft a rule set',
    description:
      'Omitted members take the values of the rule set in force. A draft judges no transmission.',
    body: DraftRuleSetBody,
    replies: { 201: { description: 'Drafted.', data: RuleSet, location: 'The draft.' } },
    errors: [],
  },
  readActiveRuleSet: {
    method: 'GET',
    path: '/admin/v1/rule-sets/active',
    authentication: 'session',
    permission: 'rules:read',
    summary: 'Read the rule set in force',
    description: 'The rule set that judges the next transmission.',
    replies: shown,
    errors: [],
  },
  readRuleSet: {
    method: 'GET',
    path: '/admin/v1/rule-sets/{ruleSetId}',
    authentication: 'session',
    permission: 'rules:read',
    summary: 'Read one rule set',
    description: 'The rule set as it is now.',
    params,
    replies: shown,
    errors: [],
  },
  changeRuleSet: {
    method: 'PATCH',
    path: '/admin/v1/rule-sets/{ruleSetId}',
    authentication: 'session',
    permission: 'rules:manage',
    summary: 'Change a draft',
    description: 'Omitted members keep their values. CONFLICT when the rule set is activated.',
    params,
    body: ChangeRuleSetBody,
    replies: shown,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: RuleSet },
  },
  tryRuleSet: {
    method: 'GET',
    path: '/admin/v1/rule-sets/{ruleSetId}/trial',
    authentication: 'session',
    permission: 'rules:read',
    summary: 'Try a rule set against the last transmissions',
    description:
      'Judges the latest terminal transmissions of kind CREATE twice, under the rule set in force and under this one, as of the day each was received, and lists the transmissions that would get another verdict, with the reasons. Organizations, reference data and other records are the current ones; the record of the transmission itself and later records do not count. Nothing is written.',
    params,
    query: TrialQuery,
    replies: { 200: { description: 'The verdicts that would change.', data: RuleSetTrial } },
    errors: [],
  },
  activateRuleSet: {
    method: 'POST',
    path: '/admin/v1/rule-sets/{ruleSetId}/activate',
    authentication: 'session',
    permission: 'rules:manage',
    summary: 'Activate a draft',
    description:
      'The rule set is in force from the given moment until the next one takes over, and never changes again. CONFLICT when it is already activated, or when another rule set takes over at the same moment.',
    params,
    body: ActivateRuleSetBody,
    replies: shown,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: RuleSet },
  },
  withdrawRuleSet: {
    method: 'POST',
    path: '/admin/v1/rule-sets/{ruleSetId}/withdraw',
    authentication: 'session',
    permission: 'rules:manage',
    summary: 'Withdraw a scheduled rule set',
    description:
      'A SCHEDULED rule set becomes a draft again. CONFLICT when it is already in force.',
    params,
    body: WithdrawRuleSetBody,
    replies: shown,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: RuleSet },
  },
} as const satisfies Record<string, StaffEndpoint>;
