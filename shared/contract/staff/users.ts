import { z } from 'zod';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { Email, INITIAL_PASSWORD_HOURS, Role, UserStatus } from '../staff.ts';
import { text } from '../text.ts';
import { EndedSessions } from './auth.ts';
import type { StaffEndpoint } from './endpoint.ts';
import { Reason, ReasonBody } from './fields.ts';

export const User = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    role: Role,
    status: UserStatus,
    mfaEnrolled: z.boolean(),
    passwordChangeDue: z
      .boolean()
      .describe('True with an initial password: the user can do nothing before changing it.'),
    initialPasswordExpiresAt: z.iso
      .datetime()
      .nullable()
      .describe(
        'When the initial password stops working. Null for a password that the user chose.',
      ),
    lockedUntil: z.iso.datetime().nullable().describe('After five failed sign-ins in a row.'),
    createdAt: z.iso.datetime(),
    lastSignedInAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

export const UserQuery = PageQuery.extend({
  role: Role.optional(),
  status: UserStatus.optional(),
  email: text(254).min(1).optional().describe('A part of the address.'),
}).meta({ id: 'UserQuery' });
export type UserQuery = z.infer<typeof UserQuery>;

export const CreateUserBody = z
  .strictObject({ email: Email, role: Role })
  .meta({ id: 'CreateUserBody' });

/** The service generates the password. */
export const ResetPasswordBody = z
  .strictObject({ reason: Reason })
  .meta({ id: 'ResetPasswordBody' });

export const ChangeRoleBody = z.strictObject({ role: Role }).meta({ id: 'ChangeRoleBody' });

export const UserWithPassword = z
  .strictObject({
    user: User,
    initialPassword: z
      .string()
      .describe(
        `Only this answer shows it. It works for ${INITIAL_PASSWORD_HOURS} hours, and only to choose another password.`,
      ),
  })
  .meta({ id: 'UserWithPassword' });
export type UserWithPassword = z.infer<typeof UserWithPassword>;

const params = z.object({ userId: z.uuid() });
const shownUser = { 200: { description: 'The user as it is now.', data: User } };
const LAST_ADMINISTRATOR = 'CONFLICT for the last active ADMINISTRATOR.';
const ENDS_SESSIONS = 'Ends every session of the user at once.';

/** Accounts of the regulator's staff. A request that changes nothing succeeds and is not audited. */
export const USER_ENDPOINTS = {
  listUsers: {
    method: 'GET',
    path: '/admin/v1/users',
    authentication: 'session',
    permission: 'users:read',
    summary: 'List users',
    description: 'The newest first.',
    query: UserQuery,
    replies: { 200: { description: 'A page of users.', data: pageOf(User) } },
    errors: [],
  },
  createUser: {
    method: 'POST',
    path: '/admin/v1/users',
    authentication: 'session',
    permission: 'users:manage',
    summary: 'Create a user',
    description:
      'The service generates an initial password. At the first sign-in the user enrolls a second factor and then changes the password. CONFLICT when another user has the address.',
    body: CreateUserBody,
    replies: { 201: { description: 'Created.', data: UserWithPassword, location: 'The user.' } },
    errors: ['CONFLICT', 'RATE_LIMITED'],
  },
  readUser: {
    method: 'GET',
    path: '/admin/v1/users/{userId}',
    authentication: 'session',
    permission: 'users:read',
    summary: 'Read one user',
    description: 'The user as it is now.',
    params,
    replies: shownUser,
    errors: [],
  },
  changeUserRole: {
    method: 'PUT',
    path: '/admin/v1/users/{userId}/role',
    authentication: 'session',
    permission: 'users:manage',
    summary: "Change a user's role",
    description: `${ENDS_SESSIONS} ${LAST_ADMINISTRATOR}`,
    params,
    body: ChangeRoleBody,
    replies: shownUser,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: User },
  },
  disableUser: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/disable',
    authentication: 'session',
    permission: 'users:manage',
    summary: 'Disable a user',
    description: `${ENDS_SESSIONS} ${LAST_ADMINISTRATOR}`,
    params,
    body: ReasonBody,
    isBodyOptional: true,
    replies: shownUser,
    errors: ['CONFLICT'],
    errorData: { CONFLICT: User },
  },
  enableUser: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/enable',
    authentication: 'session',
    permission: 'users:manage',
    summary: 'Enable a user again',
    description: 'The user keeps the earlier password and second factor.',
    params,
    body: ReasonBody,
    isBodyOptional: true,
    replies: shownUser,
    errors: [],
  },
  resetUserMfa: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/mfa-reset',
    authentication: 'session',
    permission: 'users:manage',
    summary: "Reset a user's second factor",
    description: `The user enrolls a new second factor at the next sign-in. The recovery codes no longer work. ${ENDS_SESSIONS}`,
    params,
    body: ReasonBody,
    isBodyOptional: true,
    replies: shownUser,
    errors: [],
  },
  resetUserPassword: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/password-reset',
    authentication: 'session',
    permission: 'users:manage',
    summary: "Reset a user's password",
    description: `The service generates an initial password. Also unlocks the user. ${ENDS_SESSIONS}`,
    params,
    body: ResetPasswordBody,
    replies: { 200: { description: 'Reset.', data: UserWithPassword } },
    errors: ['RATE_LIMITED'],
  },
  endUserSessions: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/end-sessions',
    authentication: 'session',
    permission: 'users:manage',
    summary: "End a user's sessions",
    description:
      'Ends every session of the user at once, and sign-ins under way. The user can sign in again. One’s own sessions are under /auth/v1/sessions.',
    params,
    body: ReasonBody,
    isBodyOptional: true,
    replies: { 200: { description: 'The number of ended sessions.', data: EndedSessions } },
    errors: [],
  },
} as const satisfies Record<string, StaffEndpoint>;
