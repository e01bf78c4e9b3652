import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import type { Reply } from '../machine/endpoints.ts';
import type { Permission } from '../staff.ts';

export const AUTH_BASE = '/auth/v1';
export const ADMIN_BASE = '/admin/v1';

/**
 * Who may call: anyone (sign-in itself), a sign-in whose second factor is due, that or a signed-in user, or a signed-in user.
 */
export type StaffAuthentication = 'anyone' | 'challenge' | 'challenge-or-session' | 'session';

/** A body that is no JSON and is handed on as it arrives. */
export interface Upload {
  /** Others are UNSUPPORTED_FILE. */
  readonly mediaTypes: readonly string[];
  readonly bytesMax: number;
}

/** One entry of the table that routing, parsing and the staff realm's OpenAPI read. */
export interface StaffEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the root, parameters in braces. */
  readonly path: `${typeof AUTH_BASE | typeof ADMIN_BASE}/${string}`;
  readonly authentication: StaffAuthentication;
  /** Null only under AUTH_BASE: there every signed-in user may. */
  readonly permission: Permission | null;
  /** Also for a session that began with an initial password, which else may do nothing. */
  readonly allowsInitialPassword?: true;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Members it doesn't know are refused. */
  readonly body?: z.ZodObject;
  readonly upload?: Upload;
  readonly replies: Readonly<Record<number, Reply>>;
  /** The codes this endpoint adds to those of its method, admission, parameters and body. */
  readonly errors: readonly ErrorCode[];
}

/** Bytes of a JSON body in the staff realm. */
export const STAFF_BODY_BYTES_MAX = 64 * 1_024;

/** Every code an endpoint may answer. */
export function errorsOfStaffEndpoint(endpoint: StaffEndpoint): ErrorCode[] {
  const { method, authentication, permission, params, upload, errors } = endpoint;
  const codes: ErrorCode[] = [
    ...(method === 'GET' ? [] : (['CSRF_FAILED'] as const)),
    ...(authentication === 'anyone' ? [] : ADMISSION_ERRORS[authentication]),
    ...(permission !== null || isShutToInitialPasswords(endpoint) ? (['FORBIDDEN'] as const) : []),
    ...(params === undefined ? [] : (['NOT_FOUND'] as const)),
    // For a query parameter that it does not know, if for nothing else.
    'VALIDATION_FAILED',
    ...(upload === undefined ? [] : (['UNSUPPORTED_FILE'] as const)),
    ...errors,
    ...EVERYWHERE,
  ];
  return [...new Set(codes)];
}

/** Headers may be too many and an address unreadable whatever is asked (D43, D44). */
const EVERYWHERE = ['IP_NOT_ALLOWED', 'PAYLOAD_TOO_LARGE', 'INTERNAL_ERROR'] as const;

function isShutToInitialPasswords({
  authentication,
  allowsInitialPassword,
}: StaffEndpoint): boolean {
  return authentication.endsWith('session') && allowsInitialPassword !== true;
}

const ADMISSION_ERRORS = {
  challenge: ['MFA_REQUIRED'],
  'challenge-or-session': ['UNAUTHENTICATED', 'MFA_REQUIRED', 'SESSION_EXPIRED'],
  session: ['UNAUTHENTICATED', 'MFA_REQUIRED', 'SESSION_EXPIRED'],
} as const satisfies Record<Exclude<StaffAuthentication, 'anyone'>, readonly ErrorCode[]>;
