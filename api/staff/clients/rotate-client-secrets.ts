import { replaceClientSecrets } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { secretKeysOf } from './secret-keys.ts';

export async function rotateClientSecrets(
  context: ApiContext,
  request: StaffRequest<'rotateClientSecrets'>,
): Promise<StaffAnswer> {
  const keys = secretKeysOf(context);
  const { params, body } = request;
  const data = await changeByStaff(context, request, (tx, by) =>
    replaceClientSecrets(tx, params.apiClientId, body, keys, by),
  );
  return { status: 200, data };
}
