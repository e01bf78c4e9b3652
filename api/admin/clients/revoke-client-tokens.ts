import type { RevokedTokens } from '../../../shared/contract/admin/clients.ts';
import { revokeClientTokens as revoke } from '../../../shared/store/client-admin.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

export async function revokeClientTokens(
  context: ApiContext,
  request: AdminAdmitted<'revokeClientTokens'>,
): Promise<AdminAnswer> {
  const { apiClientId } = request.params;
  const revoked = await changeByStaff(context, request, (tx, by) => revoke(tx, apiClientId, by));
  const data: RevokedTokens = { revoked };
  return { status: 200, data };
}
