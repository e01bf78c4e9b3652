import { z } from 'zod';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { ActorKind, AuditAction, AuditTargetType, Role } from '../staff.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { RegistryMoment } from './fields.ts';

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
  action: AuditAction.optional(),
  actorId: z.uuid().optional(),
  targetType: AuditTargetType.optional(),
  targetId: text(200).min(1).optional(),
  from: RegistryMoment.optional().describe('At or after.'),
  to: RegistryMoment.optional().describe('Before.'),
}).meta({ id: 'AuditQuery' });
export type AuditQuery = z.infer<typeof AuditQuery>;

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
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
