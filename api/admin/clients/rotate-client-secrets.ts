import { replaceClientSecrets } from '../../../shared/store/client-admin.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';
import { secretKeysOf } from './secret-keys.ts';

export async function rotateClientSecrets(
  context: ApiContext,
  request: AdminAdmitted<'rotateClientSecrets'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  const keys = secretKeysOf(context);
  const { params, body } = request;
  const data = await context.db.$transaction((tx) =>
    replaceClientSecrets(tx, params.apiClientId, body, keys, by),
  );
  return { status: 200, data };
}
