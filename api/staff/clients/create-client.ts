import { issueClient } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { secretKeysOf } from './secret-keys.ts';

export async function createClient(
  context: ApiContext,
  request: StaffRequest<'createClient'>,
): Promise<StaffAnswer> {
  const keys = secretKeysOf(context);
  const data = await changeByStaff(context, request, (tx, by) =>
    issueClient(tx, request.body, keys, by),
  );
  return { status: 201, data, headers: { Location: `/admin/v1/clients/${data.client.id}` } };
}
