import type { UserWithPassword } from '../../../shared/contract/admin/users.ts';
import { hashPassword, makePassword } from '../../../shared/platform/passwords.ts';
import { resetUserPassword as reset } from '../../../shared/store/users.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

export async function resetUserPassword(
  context: ApiContext,
  request: AdminAdmitted<'resetUserPassword'>,
): Promise<AdminAnswer> {
  const { params, body } = request;
  const password = body.password ?? makePassword();
  const passwordHash = await hashPassword(password);
  const user = await changeByStaff(context, request, (tx, by) =>
    reset(tx, params.userId, passwordHash, by),
  );
  const data: UserWithPassword = {
    user,
    initialPassword: body.password === undefined ? password : null,
  };
  return { status: 200, data };
}
