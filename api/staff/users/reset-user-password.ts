import type { UserWithPassword } from '../../../shared/contract/staff/users.ts';
import { hashPassword, makePassword } from '../../../shared/platform/secrets/passwords.ts';
import { resetUserPassword as reset } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function resetUserPassword(
  context: ApiContext,
  request: StaffRequest<'resetUserPassword'>,
): Promise<StaffAnswer> {
  const initialPassword = makePassword();
  const password = { hash: await hashPassword(initialPassword), isInitial: true };
  const user = await changeByStaff(context, request, (tx, by) =>
    reset(tx, request.params.userId, password, by),
  );
  const data: UserWithPassword = { user, initialPassword };
  return { status: 200, data };
}
