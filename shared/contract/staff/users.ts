import { z } from 'zod';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { Email, INITIAL_PASSWORD_HOURS, Role, UserStatus } from '../staff.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';

export const User = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    role: Role,
    status: UserStatus,
    mfaEnrolled: z.boolean(),
    passwordChangeDue: z
      .boolean()
      .describe('True with an initial password: the user may do nothing but change it.'),
    initialPasswordExpiresAt: z.iso
      .datetime()
      .nullable()
      .describe('From then on the initial password admits nobody. Null for an own password.'),
    lockedUntil: z.iso.datetime().nullable().describe('After five failed sign-ins in a row.'),
    createdAt: z.iso.datetime(),
    lastSignedInAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

export const UserQuery = PageQuery.extend({
  role: Role.optional(),
  status: UserStatus.optional(),
  email: text(254).min(1).optional().describe('Any part of the address.'),
}).meta({ id: 'UserQuery' });
export type UserQuery = z.infer<typeof UserQuery>;

export const CreateUserBody = z
  .strictObject({ email: Email, role: Role })
  .meta({ id: 'CreateUserBody' });

/** Nothing: the password is made here, and nobody else's choice. */
export const ResetPasswordBody = z.strictObject({}).meta({ id: 'ResetPasswordBody' });

export const ChangeRoleBody = z.strictObject({ role: Role }).meta({ id: 'ChangeRoleBody' });

export const UserWithPassword = z
  .strictObject({
    user: User,
    initialPassword: z
      .string()
      .describe(
        `Shown only here. Good for ${INITIAL_PASSWORD_HOURS} hours, and for nothing but choosing another one.`,
      ),
  })
  .meta({ id: 'UserWithPassword' });
export type UserWithPassword = z.infer<typeof UserWithPassword>;

const params = z.object({ userId: z.uuid() });
const shownUser = { 200: { description: 'The user as it is now.', data: User } };
const LAST_ADMINISTRATOR = 'The last active ADMINISTRATOR stays one: CONFLICT.';
const ENDS_SESSIONS = 'Every session of the user is over at once.';

/** Sign-ins of the regulator's staff. What is so already is no change, and nothing is audited. */
export const USER_ENDPOINTS = {
  listUsers: {
    method: 'GET',
    path: '/admin/v1/users',
    authentication: 'session',
    permission: 'users:read',
    summary: 'List users',
    description: 'Newest first.',
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
      'With an initial password, made here. At the first sign-in the user enrolls a second factor and then changes the password. CONFLICT when another user has the address.',
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
  },
  disableUser: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/disable',
    authentication: 'session',
    permission: 'users:manage',
    summary: 'Disable a user',
    description: `${ENDS_SESSIONS} ${LAST_ADMINISTRATOR}`,
    params,
    replies: shownUser,
    errors: ['CONFLICT'],
  },
  enableUser: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/enable',
    authentication: 'session',
    permission: 'users:manage',
    summary: 'Enable a user again',
    description: 'Password and second factor are those of before.',
    params,
    replies: shownUser,
    errors: [],
  },
  resetUserMfa: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/mfa-reset',
    authentication: 'session',
    permission: 'users:manage',
    summary: "Reset a user's second factor",
    description: `The user enrolls a new one at the next sign-in; the recovery codes are void. ${ENDS_SESSIONS}`,
    params,
    replies: shownUser,
    errors: [],
  },
  resetUserPassword: {
    method: 'POST',
    path: '/admin/v1/users/{userId}/password-reset',
    authentication: 'session',
    permission: 'users:manage',
    summary: "Reset a user's password",
    description: `An initial password, made here. Unlocks the user, too. ${ENDS_SESSIONS}`,
    params,
    body: ResetPasswordBody,
    replies: { 200: { description: 'Reset.', data: UserWithPassword } },
    errors: ['RATE_LIMITED'],
  },
} as const satisfies Record<string, StaffEndpoint>;
