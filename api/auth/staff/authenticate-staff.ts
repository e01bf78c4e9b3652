import type { Request } from 'express';
import { AppError } from '../../../shared/contract/errors.ts';
import { makeFinding } from '../../../shared/contract/findings.ts';
import type { LoginResult } from '../../../shared/contract/staff/auth.ts';
import type { StaffEndpoint } from '../../../shared/contract/staff/endpoint.ts';
import {
  BACKGROUND_HEADER,
  mayRole,
  needsFreshFactor,
  type Role,
  SECOND_FACTOR_FRESH_SECONDS,
} from '../../../shared/contract/staff.ts';
import {
  findStaffChallenge,
  findStaffSession,
  type StaffChallenge,
  type StaffSession,
  useStaffSession,
} from '../../../shared/store/staff/sign-in/sessions.ts';
import type { ApiContext } from '../../context.ts';
import { singleHeader } from '../../http/request-context.ts';
import { readStaffCookies, type StaffCookies } from './cookies.ts';
import { requireOwnSite } from './origin.ts';

/** The signed-in user, as handlers and the audit log name them. */
export interface Staff {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
}

/** The caller of a staff endpoint. The endpoint's `authentication` decides which members are present. */
export interface StaffCaller {
  readonly cookies: StaffCookies;
  readonly staff: Staff | undefined;
  readonly session: StaffSession | undefined;
  readonly challenge: StaffChallenge | undefined;
}

/**
 * Authenticates a request of the staff realm (api.md, "Admin realm"): own site → session or challenge → permission.
 * A request without a cookie is UNAUTHENTICATED, one with the cookie of a session that is over SESSION_EXPIRED, and one that
 * lacks only the second factor MFA_REQUIRED.
 * @throws {AppError} CSRF_FAILED, UNAUTHENTICATED, SESSION_EXPIRED, MFA_REQUIRED, FORBIDDEN
 */
export async function authenticateStaff(
  context: ApiContext,
  endpoint: StaffEndpoint,
  request: Request,
): Promise<StaffCaller> {
  if (request.method !== 'GET') requireOwnSite(request, context.config.adminAllowedOrigins);
  const cookies = readStaffCookies(request, context.config);
  const readSession = isInBackground(request) ? findStaffSession : useStaffSession;
  const nobody: StaffCaller = {
    cookies,
    staff: undefined,
    session: undefined,
    challenge: undefined,
  };
  switch (endpoint.authentication) {
    case 'anyone':
      return nobody;
    case 'challenge':
      return { ...nobody, challenge: await requireChallenge(context, cookies) };
    case 'challenge-or-session': {
      const challenge = await findChallenge(context, cookies);
      return challenge === undefined
        ? { ...nobody, ...(await requireSession(context, endpoint, cookies, readSession)) }
        : { ...nobody, challenge };
    }
    case 'session':
      return { ...nobody, ...(await requireSession(context, endpoint, cookies, readSession)) };
    default:
      return endpoint.authentication satisfies never;
  }
}

/** A poll of a page that nobody may be looking at (D72). */
function isInBackground(request: Request): boolean {
  return request.method === 'GET' && singleHeader(request, BACKGROUND_HEADER) === '1';
}

async function requireSession(
  context: ApiContext,
  endpoint: StaffEndpoint,
  cookies: StaffCookies,
  readSession: typeof useStaffSession,
): Promise<{ session: StaffSession; staff: Staff }> {
  const now = context.clock.now();
  const session =
    cookies.session === undefined ? undefined : await readSession(context.db, cookies.session, now);
  if (session === undefined) throw await noSession(context, endpoint, cookies);
  return { session, staff: requirePermission(endpoint, session, now) };
}

/**
 * Checks that the session may use the endpoint: the password is the user's own, the role has the permission, and the second
 * factor is new enough. It runs when a request is authenticated, and again in the transaction of every change.
 * @throws {AppError} FORBIDDEN, with PASSWORD_CHANGE_REQUIRED or without; MFA_REQUIRED with FRESH_CODE_REQUIRED
 */
export function requirePermission(
  { permission, allowsInitialPassword }: StaffEndpoint,
  { userId: id, email, role, factorAt, passwordIsOwn }: StaffSession,
  now: Date,
): Staff {
  if (!passwordIsOwn && allowsInitialPassword !== true) {
    throw new AppError('FORBIDDEN', 'the password is an initial one', {
      message: PASSWORD_CHANGE_REQUIRED,
      details: [makeFinding('PASSWORD_CHANGE_REQUIRED', null, PASSWORD_CHANGE_REQUIRED)],
    });
  }
  if (permission !== null && !mayRole(role, permission)) {
    throw new AppError('FORBIDDEN', `${role} lacks ${permission}`, {
      message: `Your role, ${role}, does not permit this (${permission}).`,
    });
  }
  const factorSeconds = (now.getTime() - factorAt.getTime()) / 1_000;
  if (needsFreshFactor(permission) && factorSeconds > SECOND_FACTOR_FRESH_SECONDS) {
    throw new AppError('MFA_REQUIRED', `the second factor is ${factorSeconds} s old`, {
      message: FRESH_CODE_REQUIRED,
      details: [makeFinding('FRESH_CODE_REQUIRED', null, FRESH_CODE_REQUIRED)],
    });
  }
  return { id, email, role };
}

const PASSWORD_CHANGE_REQUIRED =
  'Your password is an initial one: change it first (/auth/v1/password). Until then only that, and signing out, is allowed.';
const FRESH_CODE_REQUIRED = `This takes a code that is no older than ${SECOND_FACTOR_FRESH_SECONDS / 60} minutes: send one to /auth/v1/mfa/renew, then repeat the request. You stay signed in.`;

async function noSession(
  context: ApiContext,
  { errorData }: StaffEndpoint,
  cookies: StaffCookies,
): Promise<AppError> {
  if (cookies.challenge !== undefined) {
    const challenge =
      errorData?.MFA_REQUIRED === undefined ? undefined : await findChallenge(context, cookies);
    return new AppError('MFA_REQUIRED', 'only a challenge is presented', {
      ...(challenge !== undefined && { data: nextStepOf(challenge) }),
    });
  }
  if (cookies.session !== undefined) return new AppError('SESSION_EXPIRED', 'no such session');
  return new AppError('UNAUTHENTICATED', 'no session is presented');
}

/** The step that the sign-in waits for (D73). */
function nextStepOf({ totpSealed }: Pick<StaffChallenge, 'totpSealed'>): LoginResult {
  return { next: totpSealed === undefined ? 'MFA_ENROLLMENT_REQUIRED' : 'MFA_REQUIRED' };
}

async function requireChallenge(
  context: ApiContext,
  cookies: StaffCookies,
): Promise<StaffChallenge> {
  const challenge = await findChallenge(context, cookies);
  if (challenge === undefined)
    throw new AppError('MFA_REQUIRED', 'no challenge, or one that is over');
  return challenge;
}

async function findChallenge(
  { db, clock }: ApiContext,
  { challenge }: StaffCookies,
): Promise<StaffChallenge | undefined> {
  return challenge === undefined ? undefined : findStaffChallenge(db, challenge, clock.now());
}
