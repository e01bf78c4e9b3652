import { AppError } from '../../shared/contract/errors.ts';
import type { StaffEndpoint } from '../../shared/contract/staff/endpoint.ts';
import { STAFF_ENDPOINTS, type StaffEndpointName } from '../../shared/contract/staff/endpoints.ts';
import type { Tx } from '../../shared/db/prisma.ts';
import { holdStaffSession, type StaffSession } from '../../shared/store/staff/sign-in/sessions.ts';
import { lockAdministrators, lockStaffUser } from '../../shared/store/staff/staff.ts';
import type { By } from '../../shared/store/staff/users.ts';
import { requireMay } from '../auth/staff/authenticate-staff.ts';
import type { ApiContext } from '../context.ts';
import { byStaff } from './by-staff.ts';

interface ActingRequest {
  readonly name: StaffEndpointName;
  readonly session: StaffSession;
  readonly address: string;
  readonly requestId: string;
}

/**
 * The only way in which a signed-in user changes something: one transaction, in which the session is still there, the user still
 * active, and the role still one that may. Whatever ends sessions comes before or after, so that nobody acts on who was let in earlier.
 * Locks are taken in one order: users, then sessions, then what is changed, then the audit log.
 * @throws {AppError} SESSION_EXPIRED, FORBIDDEN, MFA_REQUIRED
 */
export async function changeByStaff<Result>(
  context: ApiContext,
  request: ActingRequest,
  act: (tx: Tx, by: By, session: StaffSession) => Promise<Result>,
): Promise<Result> {
  const { name, session, address, requestId } = request;
  const endpoint: StaffEndpoint = STAFF_ENDPOINTS[name];
  return context.db.$transaction(async (tx) => {
    await lockUsersFor(tx, endpoint, session.userId);
    const now = context.clock.now();
    const held = await holdStaffSession(tx, session.idHash, now);
    if (held === undefined) throw new AppError('SESSION_EXPIRED', 'the session ended meanwhile');
    const staff = requireMay(endpoint, held, now);
    return act(tx, byStaff(context, { staff, address, requestId }), held);
  });
}

/** Without a permission it is the own account that changes. */
async function lockUsersFor(tx: Tx, { permission }: StaffEndpoint, userId: string): Promise<void> {
  if (permission === 'users:manage') await lockAdministrators(tx);
  if (permission === null) await lockStaffUser(tx, userId);
}
