import type { UserWithPassword } from '../../../shared/contract/staff/users.ts';
import { hashPassword, makePassword } from '../../../shared/platform/secrets/passwords.ts';
import { createUser as create } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function createUser(
  context: ApiContext,
  request: StaffRequest<'createUser'>,
): Promise<StaffAnswer> {
  const { email, role } = request.body;
  const initialPassword = makePassword();
  const password = { hash: await hashPassword(initialPassword), isInitial: true };
  const user = await changeByStaff(context, request, (tx, by) =>
    create(tx, { email, role, password }, by),
  );
  const data: UserWithPassword = { user, initialPassword };
  return { status: 201, data, headers: { Location: `/admin/v1/users/${user.id}` } };
}
