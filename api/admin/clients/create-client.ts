import { issueClient } from '../../../shared/store/client-admin.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';
import { secretKeysOf } from './secret-keys.ts';

export async function createClient(
  context: ApiContext,
  request: AdminAdmitted<'createClient'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  const keys = secretKeysOf(context);
  const data = await context.db.$transaction((tx) => issueClient(tx, request.body, keys, by));
  return { status: 201, data, headers: { Location: `/admin/v1/clients/${data.client.id}` } };
}
