import { z } from 'zod';
import { PageQuery, pageOf } from '../machine/paging.ts';
import { Email, NewPassword, PERMISSIONS, type Permission, Role } from '../staff.ts';
import { text } from '../text.ts';
import type { StaffEndpoint } from './endpoint.ts';

export const SIGN_IN_STEPS = ['MFA_REQUIRED', 'MFA_ENROLLMENT_REQUIRED'] as const;
export const SignInStep = z.enum(SIGN_IN_STEPS).meta({ id: 'SignInStep' });
export type SignInStep = z.infer<typeof SignInStep>;

export const LoginBody = z
  .strictObject({ email: text(254).min(1), password: z.string().min(1).max(256) })
  .meta({ id: 'LoginBody' });

export const LoginResult = z
  .strictObject({
    next: SignInStep.describe('The next call: mfa/verify, or mfa/enroll and then mfa/verify.'),
  })
  .meta({ id: 'LoginResult' });
export type LoginResult = z.infer<typeof LoginResult>;

export const Enrollment = z
  .strictObject({
    otpauthUri: z.string().describe('For a QR code (otpauth://totp/…).'),
    secret: z.string().describe('The same secret in base32, for typing.'),
  })
  .meta({ id: 'Enrollment' });
export type Enrollment = z.infer<typeof Enrollment>;

export const VerifyBody = z
  .strictObject({
    code: text(32).min(1).describe('The current 6 digits, or a recovery code.'),
  })
  .meta({ id: 'VerifyBody' });

const permissionNames = Object.keys(PERMISSIONS) as [Permission, ...Permission[]];

const sessionFields = {
  user: z.strictObject({ id: z.uuid(), email: Email, role: Role }),
  permissions: z.array(z.enum(permissionNames)),
  passwordChangeDue: z
    .boolean()
    .describe(
      'True with an initial password: the user can only read the session, change the password and sign out.',
    ),
  recoveryCodesLeft: z.int().min(0),
  secondFactorFreshUntil: z.iso
    .datetime()
    .describe('Until then managing users and clients needs no new code (mfa/renew).'),
  idleExpiresAt: z.iso
    .datetime()
    .describe('Every request extends it, except one with X-PPAI-Background: 1.'),
  expiresAt: z.iso.datetime(),
};

export const Session = z.strictObject(sessionFields).meta({ id: 'Session' });
export type Session = z.infer<typeof Session>;

const recoveryCodes = z.array(z.string()).describe('Each works once. Only this answer shows them.');

export const SignedIn = z
  .strictObject({
    ...sessionFields,
    recoveryCodes: recoveryCodes
      .nullable()
      .describe('Ten codes after an enrollment, otherwise null.'),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof SignedIn>;

export const PasswordBody = z
  .strictObject({ currentPassword: z.string().min(1).max(256), newPassword: NewPassword })
  .meta({ id: 'PasswordBody' });

export const RecoveryCodesBody = z
  .strictObject({ password: z.string().min(1).max(256) })
  .meta({ id: 'RecoveryCodesBody' });

export const RecoveryCodesResult = z
  .strictObject({ recoveryCodes })
  .meta({ id: 'RecoveryCodesResult' });
export type RecoveryCodesResult = z.infer<typeof RecoveryCodesResult>;

export const OwnSession = z
  .strictObject({
    id: z.uuid(),
    createdAt: z.iso.datetime().describe('The time of the sign-in.'),
    lastSeenAt: z.iso.datetime(),
    expiresAt: z.iso
      .datetime()
      .describe('The latest end; 15 minutes without a request end the session earlier.'),
    address: z.string().describe('The address of the sign-in.'),
    current: z.boolean().describe('Whether this request is part of it.'),
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = z.infer<typeof OwnSession>;

export const EndedSessions = z
  .strictObject({ ended: z.int().min(0).describe('The sessions that this request ended.') })
  .meta({ id: 'EndedSessions' });
export type EndedSessions = z.infer<typeof EndedSessions>;

export const Done = z.strictObject({ done: z.literal(true) }).meta({ id: 'Done' });
export type Done = z.infer<typeof Done>;

/** api.md, "Session-based admin API" and "Admin realm". */
export const AUTH_ENDPOINTS = {
  login: {
    method: 'POST',
    path: '/auth/v1/login',
    authentication: 'anyone',
    permission: null,
    summary: 'Begin a sign-in',
    description:
      'Sets the challenge cookie, valid for 5 minutes. Five consecutive failures lock the e-mail address for 15 minutes, whether or not a user has it. At most 10 sign-ins per minute and caller address.',
    body: LoginBody,
    replies: { 200: { description: 'The password is right.', data: LoginResult } },
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'RATE_LIMITED'],
  },
  enrollMfa: {
    method: 'POST',
    path: '/auth/v1/mfa/enroll',
    authentication: 'challenge-or-session',
    permission: null,
    summary: 'Begin to enroll a second factor',
    description:
      'Returns a new secret for an authenticator app: 6 digits, 30 seconds, SHA-1. It takes effect when mfa/verify confirms it.',
    replies: { 200: { description: 'The secret.', data: Enrollment } },
    errors: ['CONFLICT'],
  },
  verifyMfa: {
    method: 'POST',
    path: '/auth/v1/mfa/verify',
    authentication: 'challenge',
    permission: null,
    summary: 'Complete a sign-in, or confirm an enrollment',
    description:
      'Ends the challenge and sets the session cookie: 15 minutes idle, 8 hours in all. A code works once. A wrong code counts as a failed sign-in.',
    body: VerifyBody,
    replies: { 200: { description: 'Signed in.', data: SignedIn } },
    errors: ['INVALID_MFA_CODE', 'ACCOUNT_LOCKED', 'CONFLICT'],
  },
  renewMfa: {
    method: 'POST',
    path: '/auth/v1/mfa/renew',
    authentication: 'session',
    permission: null,
    summary: 'Prove the second factor again',
    description:
      'Managing users and clients requires a second factor no older than 15 minutes. Otherwise the answer is MFA_REQUIRED with the detail code FRESH_CODE_REQUIRED: send a code here and repeat the request. The session and its cookie continue. A code works once. A wrong code counts as a failed sign-in.',
    body: VerifyBody,
    replies: { 200: { description: 'Renewed.', data: Session } },
    errors: ['INVALID_MFA_CODE', 'ACCOUNT_LOCKED'],
  },
  logout: {
    method: 'POST',
    path: '/auth/v1/logout',
    authentication: 'session',
    permission: null,
    allowsInitialPassword: true,
    summary: 'Sign out',
    description: 'Ends the session at once.',
    replies: { 200: { description: 'Signed out.', data: Done } },
    errors: [],
  },
  readSession: {
    method: 'GET',
    path: '/auth/v1/session',
    authentication: 'session',
    permission: null,
    allowsInitialPassword: true,
    summary: 'Read the own session',
    description:
      'The user, the permissions of the role, and when the session ends. During a sign-in the answer is MFA_REQUIRED, and `data` names its next step.',
    replies: { 200: { description: 'The session.', data: Session } },
    errors: [],
    errorData: { MFA_REQUIRED: LoginResult },
  },
  listOwnSessions: {
    method: 'GET',
    path: '/auth/v1/sessions',
    authentication: 'session',
    permission: null,
    summary: 'List the own sessions',
    description: 'Live sessions, the latest sign-in first.',
    query: PageQuery,
    replies: { 200: { description: 'A page of sessions.', data: pageOf(OwnSession) } },
    errors: [],
  },
  endOwnSession: {
    method: 'DELETE',
    path: '/auth/v1/sessions/{sessionId}',
    authentication: 'session',
    permission: null,
    summary: 'End one of the own sessions',
    description: 'Ends the session at once. To end the current session is to sign out.',
    params: z.object({ sessionId: z.uuid() }),
    replies: { 200: { description: 'Ended.', data: Done } },
    errors: [],
  },
  endOtherSessions: {
    method: 'POST',
    path: '/auth/v1/sessions/end-others',
    authentication: 'session',
    permission: null,
    summary: 'End all own sessions except this one',
    description: 'Ends the sessions at once, and also sign-ins in progress.',
    replies: { 200: { description: 'The number of ended sessions.', data: EndedSessions } },
    errors: [],
  },
  changePassword: {
    method: 'POST',
    path: '/auth/v1/password',
    authentication: 'session',
    permission: null,
    allowsInitialPassword: true,
    summary: 'Change the own password',
    description:
      'Ends every other session of the user and gives this session a new id. A wrong current password counts as a failed sign-in. A new password is refused if it is easy to guess, or if it consists of the user’s address or the names of the service. After a change of the initial password the user has all permissions of the role.',
    body: PasswordBody,
    replies: { 200: { description: 'Changed.', data: Session } },
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'RATE_LIMITED'],
  },
  replaceRecoveryCodes: {
    method: 'POST',
    path: '/auth/v1/mfa/recovery-codes',
    authentication: 'session',
    permission: null,
    summary: 'Replace the own recovery codes',
    description: 'Returns ten new codes. The earlier codes no longer work.',
    body: RecoveryCodesBody,
    replies: { 200: { description: 'The new codes.', data: RecoveryCodesResult } },
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_LOCKED', 'RATE_LIMITED'],
  },
} as const satisfies Record<string, StaffEndpoint>;
