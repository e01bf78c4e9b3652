import { replaceClientSecrets } from '../../../shared/store/client-admin.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';
import { secretKeysOf } from './secret-keys.ts';

export async function rotateClientSecrets(
  context: ApiContext,
  request: AdminAdmitted<'rotateClientSecrets'>,
): Promise<AdminAnswer> {
  const keys = secretKeysOf(context);
  const { params, body } = request;
  const data = await changeByStaff(context, request, (tx, by) =>
    replaceClientSecrets(tx, params.apiClientId, body, keys, by),
  );
  return { status: 200, data };
}
