import type { RevokedTokens } from '../../../shared/contract/staff/clients.ts';
import { revokeClientTokens as revoke } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function revokeClientTokens(
  context: ApiContext,
  request: StaffRequest<'revokeClientTokens'>,
): Promise<StaffAnswer> {
  const { apiClientId } = request.params;
  const revoked = await changeByStaff(context, request, (tx, by) => revoke(tx, apiClientId, by));
  const data: RevokedTokens = { revoked };
  return { status: 200, data };
}
