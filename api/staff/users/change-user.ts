import type { User } from '../../../shared/contract/staff/users.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import {
  type By,
  changeUserRole as changeRole,
  resetUserMfa as resetMfa,
  setUserStatus,
} from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

type UserChange = 'changeUserRole' | 'disableUser' | 'enableUser' | 'resetUserMfa';

export function changeUserRole(
  context: ApiContext,
  request: StaffRequest<'changeUserRole'>,
): Promise<StaffAnswer> {
  return change(context, request, (tx, userId, by) =>
    changeRole(tx, userId, request.body.role, by),
  );
}

export function disableUser(
  context: ApiContext,
  request: StaffRequest<'disableUser'>,
): Promise<StaffAnswer> {
  return change(context, request, (tx, userId, by) => setUserStatus(tx, userId, 'DISABLED', by));
}

export function enableUser(
  context: ApiContext,
  request: StaffRequest<'enableUser'>,
): Promise<StaffAnswer> {
  return change(context, request, (tx, userId, by) => setUserStatus(tx, userId, 'ACTIVE', by));
}

export function resetUserMfa(
  context: ApiContext,
  request: StaffRequest<'resetUserMfa'>,
): Promise<StaffAnswer> {
  return change(context, request, resetMfa);
}

async function change(
  context: ApiContext,
  request: StaffRequest<UserChange>,
  act: (tx: Tx, userId: string, by: By) => Promise<User>,
): Promise<StaffAnswer> {
  const data = await changeByStaff(context, request, (tx, by) =>
    act(tx, request.params.userId, by),
  );
  return { status: 200, data };
}
