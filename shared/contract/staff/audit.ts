import { z } from 'zod';
import { RegistryMoment } from '../dates.ts';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { ActorKind, AUDIT_ACTIONS, AuditAction, AuditTargetType, Role } from '../staff.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { severalOf } from './fields.ts';

/** One audited action. Personal data in `before` and `after` is masked. */
export const AuditItem = z
  .strictObject({
    sequence: z.int().min(1),
    at: z.iso.datetime(),
    actor: z.strictObject({
      kind: ActorKind,
      id: z.uuid().nullable(),
      email: z.string().nullable(),
      role: Role.nullable().describe('The role at that time.'),
    }),
    action: AuditAction,
    target: z.strictObject({ type: AuditTargetType, id: z.string().nullable() }),
    address: z.string().nullable().describe('Null for a command.'),
    requestId: z.string(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    repeats: z
      .int()
      .min(0)
      .describe(
        'How often the action was repeated without another entry: 15 minutes of failed sign-ins of one account from one address make one entry.',
      ),
    hash: z.string().describe('Hex.'),
  })
  .meta({ id: 'AuditItem' });
export type AuditItem = z.infer<typeof AuditItem>;

export const AuditQuery = PageQuery.extend({
  action: severalOf(AUDIT_ACTIONS).optional(),
  actorId: z.uuid().optional(),
  targetType: AuditTargetType.optional(),
  targetId: text(200).min(1).optional(),
  requestId: text(100).min(1).optional().describe('What one request did.'),
  from: RegistryMoment.optional().describe('At or after.'),
  to: RegistryMoment.optional().describe('Before.'),
}).meta({ id: 'AuditQuery' });
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AUDIT_VERIFICATION_STATES = ['SOUND', 'NOT_SEALED', 'BROKEN'] as const;

/** The entries that one request verifies, the latest (D80). */
export const AUDIT_VERIFIED_MAX = 100_000;

const AuditHead = z.strictObject({ sequence: z.int().min(0), hash: z.string().describe('Hex.') });

export const AuditVerification = z
  .strictObject({
    state: z
      .enum(AUDIT_VERIFICATION_STATES)
      .describe('NOT_SEALED: sound, but the last entry has no seal.'),
    verifiedFrom: z
      .int()
      .min(1)
      .nullable()
      .describe('The first entry that was verified, 1 for the whole log; null for a broken chain.'),
    head: AuditHead.nullable().describe(
      'The last entry; null for a broken chain. Keep it elsewhere.',
    ),
    brokenAt: z.int().min(0).nullable().describe('The first entry that is not sound.'),
    reason: z.string().nullable(),
  })
  .meta({ id: 'AuditVerification' });
export type AuditVerification = z.infer<typeof AuditVerification>;

export const AuditVerificationQuery = z
  .object({
    expect: z
      .string()
      .max(100)
      .regex(
        /^[1-9]\d{0,14}:[0-9a-f]{64}$/,
        'Expected the sequence and the hash of a head, with a colon between them.',
      )
      .optional()
      .describe(
        'A head that an earlier verification returned, as `sequence:hash`. It shows whether the log was rewritten since.',
      ),
  })
  .meta({ id: 'AuditVerificationQuery' });

export const AUDIT_ENDPOINTS = {
  listAudit: {
    method: 'GET',
    path: '/admin/v1/audit',
    authentication: 'session',
    permission: 'audit:read',
    summary: 'List audited actions',
    description: 'The latest first.',
    query: AuditQuery,
    replies: { 200: { description: 'A page of entries.', data: pageOf(AuditItem) } },
    csv: [
      'sequence',
      'at',
      'actor.kind',
      'actor.email',
      'actor.role',
      'action',
      'target.type',
      'target.id',
      'address',
      'requestId',
      'before',
      'after',
      'repeats',
      'hash',
    ],
    errors: [],
  },
  verifyAudit: {
    method: 'GET',
    path: '/admin/v1/audit/verification',
    authentication: 'session',
    permission: 'audit:read',
    summary: 'Verify the chain of the audit log',
    description: `Recomputes the hashes of the latest ${AUDIT_VERIFIED_MAX} entries and checks the seal of the last one. The command verify-audit verifies a longer log from its first entry.`,
    query: AuditVerificationQuery,
    replies: { 200: { description: 'The result.', data: AuditVerification } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
