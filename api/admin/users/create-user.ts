import type { UserWithPassword } from '../../../shared/contract/admin/users.ts';
import { hashPassword, makePassword } from '../../../shared/platform/passwords.ts';
import { createUser as create } from '../../../shared/store/users.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

export async function createUser(
  context: ApiContext,
  request: AdminAdmitted<'createUser'>,
): Promise<AdminAnswer> {
  const { email, role, password = makePassword() } = request.body;
  const passwordHash = await hashPassword(password);
  const user = await changeByStaff(context, request, (tx, by) =>
    create(tx, { email, role, passwordHash }, by),
  );
  const initialPassword = request.body.password === undefined ? password : null;
  const data: UserWithPassword = { user, initialPassword };
  return { status: 201, data, headers: { Location: `/admin/v1/users/${user.id}` } };
}
