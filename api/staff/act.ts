import { AppError } from '../../shared/contract/errors.ts';
import type { StaffEndpoint } from '../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS, type StaffEndpointName } from '../../shared/contract/staff/endpoints.ts';
import type { Tx } from '../../shared/db/prisma.ts';
import type { By } from '../../shared/store/staff/audit.ts';
import { lockAdministrators } from '../../shared/store/staff/lock.ts';
import { lockStaffUser } from '../../shared/store/staff/sign-in/credentials.ts';
import { lockStaffSession, type StaffSession } from '../../shared/store/staff/sign-in/sessions.ts';
import { requirePermission, type Staff } from '../auth/staff/authenticate-staff.ts';
import type { ApiContext } from '../context.ts';

interface ActingRequest {
  readonly name: StaffEndpointName;
  readonly session: StaffSession;
  readonly address: string;
  readonly requestId: string;
}

/**
 * The only way in which a signed-in user changes something, in one transaction:
 * 1. lock the session and check again that it is alive, the user is active and the role permits the endpoint: a session that
 *    ended, a user who was disabled or a role that changed since the request was authenticated changes nothing;
 * 2. `change` locks its row, checks the expected version and changes it (`shared/store/staff`);
 * 3. `change` writes the audit entry, last, because its lock is the one that all changes share.
 *
 * Locks are always taken in this order: users, sessions, the row that changes, the audit log.
 * @throws {AppError} SESSION_EXPIRED, FORBIDDEN, MFA_REQUIRED, and what `change` throws
 */
export async function actAsStaff<Result>(
  context: ApiContext,
  { name, session, address, requestId }: ActingRequest,
  change: (tx: Tx, by: By, session: StaffSession) => Promise<Result>,
): Promise<Result> {
  const endpoint: StaffEndpoint = STAFF_ENDPOINTS[name];
  return context.db.$transaction(async (tx) => {
    await lockUsersFor(tx, endpoint, session.userId);
    const now = context.clock.now();
    const locked = await lockStaffSession(tx, session.idHash, now);
    if (locked === undefined) throw new AppError('SESSION_EXPIRED', 'the session ended meanwhile');
    const staff = requirePermission(endpoint, locked, now);
    return change(tx, byStaff(context, { staff, address, requestId }), locked);
  });
}

/** An endpoint without a permission changes the caller's own account. */
async function lockUsersFor(tx: Tx, { permission }: StaffEndpoint, userId: string): Promise<void> {
  if (permission === 'users:manage') await lockAdministrators(tx);
  if (permission === null) await lockStaffUser(tx, userId);
}

interface StaffOrigin {
  readonly staff: Staff;
  readonly address: string;
  readonly requestId: string;
}

/** The actor, address and time of an audited act of a signed-in user. */
export function byStaff(
  { clock, keyring }: Pick<ApiContext, 'clock' | 'keyring'>,
  { staff: { id, email, role }, address, requestId }: StaffOrigin,
): By {
  return {
    actor: { kind: 'STAFF', id, email, role },
    address,
    requestId,
    at: clock.now(),
    keys: keyring,
  };
}
