import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Reply } from '../machine/endpoints.ts';
import type { Permission } from '../staff.ts';

export const AUTH_BASE = '/auth/v1';
export const ADMIN_BASE = '/admin/v1';

/**
 * Who may call: anyone, a sign-in that still needs its second factor (challenge), a signed-in user (session), or either of
 * the last two.
 */
export type StaffAuthentication = 'anyone' | 'challenge' | 'challenge-or-session' | 'session';

/** A body that is not JSON. The handler gets it as it arrives. */
export interface Upload {
  /** Any other media type is UNSUPPORTED_FILE. */
  readonly mediaTypes: readonly string[];
  readonly bytesMax: number;
}

/** One entry of the staff realm's endpoint table. Routing, parsing and OpenAPI read it. */
export interface StaffEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root, parameters in braces. */
  readonly path: `${typeof AUTH_BASE | typeof ADMIN_BASE}/${string}`;
  readonly authentication: StaffAuthentication;
  /** Null only below AUTH_BASE, where a user needs no permission. */
  readonly permission: Permission | null;
  /** True for the few endpoints that a session with an initial password may call. */
  readonly allowsInitialPassword?: true;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** A body with an unknown member is refused. */
  readonly body?: z.ZodObject;
  /** True: a request without a body counts as one with an empty object. */
  readonly isBodyOptional?: true;
  readonly upload?: Upload;
  readonly replies: Readonly<Record<number, Reply>>;
  /** A list that `Accept: text/csv` exports: the columns as paths of members of an item (D82). */
  readonly csv?: readonly string[];
  /** The codes besides those of its method, authentication, parameters and body. */
  readonly errors: readonly ErrorCode[];
  /** The schema of `data` in an answer with this code, for the codes whose `data` is not always null. */
  readonly errorData?: Readonly<Partial<Record<ErrorCode, z.ZodType>>>;
}

/** The rows of one export. */
export const EXPORT_ROWS_MAX = 1_000_000;

/** Bytes of a JSON body in the staff realm. */
export const STAFF_BODY_BYTES_MAX = 64 * 1_024;

/** Every error code of an endpoint. */
export function errorsOfStaffEndpoint(endpoint: StaffEndpoint): ErrorCode[] {
  const { method, authentication, permission, params, upload, errors } = endpoint;
  const codes: ErrorCode[] = [
    ...(method === 'GET' ? [] : (['CSRF_FAILED'] as const)),
    ...(authentication === 'anyone' ? [] : AUTHENTICATION_ERRORS[authentication]),
    ...(permission !== null || refusesInitialPassword(endpoint) ? (['FORBIDDEN'] as const) : []),
    ...(params === undefined ? [] : (['NOT_FOUND'] as const)),
    // Every endpoint refuses an unknown query parameter.
    'VALIDATION_FAILED',
    ...(upload === undefined ? [] : (['UNSUPPORTED_FILE'] as const)),
    ...errors,
    ...EVERYWHERE,
  ];
  return [...new Set(codes)];
}

/** Any request can have too many headers or an unreadable address (D43, D44). */
const EVERYWHERE = ['IP_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE', 'INTERNAL_ERROR'] as const;

function refusesInitialPassword({ authentication, allowsInitialPassword }: StaffEndpoint): boolean {
  return authentication.endsWith('session') && allowsInitialPassword !== true;
}

const AUTHENTICATION_ERRORS = {
  challenge: ['MFA_REQUIRED'],
  'challenge-or-session': ['UNAUTHENTICATED', 'MFA_REQUIRED', 'SESSION_EXPIRED'],
  session: ['UNAUTHENTICATED', 'MFA_REQUIRED', 'SESSION_EXPIRED'],
} as const satisfies Record<Exclude<StaffAuthentication, 'anyone'>, readonly ErrorCode[]>;
