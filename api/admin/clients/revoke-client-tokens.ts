import type { RevokedTokens } from '../../../shared/contract/admin/clients.ts';
import { revokeClientTokens as revoke } from '../../../shared/store/client-admin.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { byStaff } from '../by-staff.ts';

export async function revokeClientTokens(
  context: ApiContext,
  request: AdminAdmitted<'revokeClientTokens'>,
): Promise<AdminAnswer> {
  const by = byStaff(context, request);
  const { apiClientId } = request.params;
  const revoked = await context.db.$transaction((tx) => revoke(tx, apiClientId, by));
  const data: RevokedTokens = { revoked };
  return { status: 200, data };
}
