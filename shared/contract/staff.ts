import { z } from 'zod';

export const ROLES = ['ADMINISTRATOR', 'REVIEWER', 'AUDITOR'] as const;
export const Role = z.enum(ROLES).meta({ id: 'Role' });
export type Role = z.infer<typeof Role>;

export const USER_STATUSES = ['ACTIVE', 'DISABLED'] as const;
export const UserStatus = z.enum(USER_STATUSES).meta({ id: 'UserStatus' });
export type UserStatus = z.infer<typeof UserStatus>;

const ADMINISTRATOR_ONLY = ['ADMINISTRATOR'] as const;
const REVIEWERS = ['ADMINISTRATOR', 'REVIEWER'] as const;
const OVERSEERS = ['ADMINISTRATOR', 'AUDITOR'] as const;

/**
 * The roles that have each permission. An AUDITOR reads everything except unmasked personal data, and changes nothing.
 */
export const PERMISSIONS = {
  'description:read': ROLES,
  'organizations:read': ROLES,
  'organizations:manage': ADMINISTRATOR_ONLY,
  'clients:read': ROLES,
  'clients:manage': ADMINISTRATOR_ONLY,
  'rules:read': ROLES,
  'rules:manage': ADMINISTRATOR_ONLY,
  'flags:read': ROLES,
  'flags:review': REVIEWERS,
  'records:read': ROLES,
  'personal-data:read': REVIEWERS,
  'reference:read': ROLES,
  'reference:import': ADMINISTRATOR_ONLY,
  'queue:read': ROLES,
  'queue:manage': ADMINISTRATOR_ONLY,
  'users:read': OVERSEERS,
  'users:manage': ADMINISTRATOR_ONLY,
  'audit:read': OVERSEERS,
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

export function mayRole(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

export function permissionsOf(role: Role): Permission[] {
  return (Object.keys(PERMISSIONS) as Permission[]).filter((permission) =>
    mayRole(role, permission),
  );
}

/**
 * The permissions that require a second factor no older than SECOND_FACTOR_FRESH_SECONDS: with them a user grants access to
 * others.
 */
const FRESH_FACTOR_PERMISSIONS: readonly Permission[] = ['users:manage', 'clients:manage'];

export function needsFreshFactor(permission: Permission | null): boolean {
  return permission !== null && FRESH_FACTOR_PERMISSIONS.includes(permission);
}

/** api.md, "Admin realm". */
export const SESSION_IDLE_SECONDS = 15 * 60;
export const SESSION_ABSOLUTE_SECONDS = 8 * 3_600;
export const CHALLENGE_SECONDS = 5 * 60;
export const SECOND_FACTOR_FRESH_SECONDS = 15 * 60;
export const FAILURES_MAX = 5;
export const LOCK_SECONDS = 15 * 60;
/** The audit log has at most one entry in this time for failed sign-ins of one account from one address. */
export const FAILED_SIGN_IN_ENTRY_SECONDS = 15 * 60;
export const TOTP_DIGITS = 6;
export const TOTP_PERIOD_SECONDS = 30;
export const RECOVERY_CODES = 10;
export const CSRF_HEADER = 'x-ppai-csrf';
/** With value 1 on a GET: the session is checked, but not extended (D72). */
export const BACKGROUND_HEADER = 'x-ppai-background';

/** How long an initial password works. Until then its user must choose another one. */
export const INITIAL_PASSWORD_HOURS = 72;
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export const Email = z.email().max(254).describe('Case does not matter.');
export const NewPassword = z.string().min(PASSWORD_LENGTH_MIN).max(PASSWORD_LENGTH_MAX);

/** The audited actions, each in the past tense. */
export const AUDIT_ACTIONS = [
  'SIGNED_IN',
  'SIGNED_OUT',
  'SESSIONS_ENDED',
  'SIGN_IN_FAILED',
  'SIGN_IN_LOCKED',
  'MFA_ENROLLED',
  'MFA_RENEWED',
  'RECOVERY_CODE_USED',
  'RECOVERY_CODES_REPLACED',
  'PASSWORD_CHANGED',
  'USER_CREATED',
  'USER_ROLE_CHANGED',
  'USER_DISABLED',
  'USER_ENABLED',
  'USER_MFA_RESET',
  'USER_PASSWORD_RESET',
  'ORGANIZATION_CREATED',
  'ORGANIZATION_RENAMED',
  'ORGANIZATION_SUSPENDED',
  'ORGANIZATION_REACTIVATED',
  'POOL_CREATED',
  'POOL_CHANGED',
  'POOL_MEMBERSHIP_ADDED',
  'POOL_MEMBERSHIP_ENDED',
  'CLIENT_CREATED',
  'CLIENT_CHANGED',
  'CLIENT_SUSPENDED',
  'CLIENT_REACTIVATED',
  'CLIENT_SECRETS_ROTATED',
  'CLIENT_TOKENS_REVOKED',
  'RULE_SET_DRAFTED',
  'RULE_SET_CHANGED',
  'RULE_SET_ACTIVATED',
  'RULE_SET_WITHDRAWN',
  'FLAG_CLEARED',
  'FLAG_REFERRED',
  'FLAG_REOPENED',
  'FLAG_ASSIGNED',
  'PERSONAL_DATA_READ',
  'LIST_EXPORTED',
  'REFERENCE_IMPORT_UPLOADED',
  'REFERENCE_IMPORT_ENDED',
  'TRANSMISSION_SENT_AGAIN',
  'TRANSMISSIONS_SENT_AGAIN',
] as const;
export const AuditAction = z.enum(AUDIT_ACTIONS).meta({ id: 'AuditAction' });
export type AuditAction = z.infer<typeof AuditAction>;

export const AUDIT_TARGET_TYPES = [
  'USER',
  'ORGANIZATION',
  'POOL',
  'POOL_MEMBERSHIP',
  'CLIENT',
  'RULE_SET',
  'FLAG',
  'TRANSMISSION',
  'REFERENCE_IMPORT',
  'QUEUE',
  'LIST',
] as const;
export const AuditTargetType = z.enum(AUDIT_TARGET_TYPES).meta({ id: 'AuditTargetType' });
export type AuditTargetType = z.infer<typeof AuditTargetType>;

export const ACTOR_KINDS = ['STAFF', 'COMMAND', 'ANONYMOUS'] as const;
export const ActorKind = z.enum(ACTOR_KINDS).meta({ id: 'ActorKind' });
export type ActorKind = z.infer<typeof ActorKind>;
