import type { RevokedTokens } from '../../../shared/contract/staff/clients.ts';
import { revokeClientTokens as revoke } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function revokeClientTokens(
  context: ApiContext,
  request: AdminAdmitted<'revokeClientTokens'>,
): Promise<AdminAnswer> {
  const { apiClientId } = request.params;
  const revoked = await changeByStaff(context, request, (tx, by) => revoke(tx, apiClientId, by));
  const data: RevokedTokens = { revoked };
  return { status: 200, data };
}
