import { requireClient } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function readClient(
  { db, clock }: ApiContext,
  { params }: StaffRequest<'readClient'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await requireClient(db, params.apiClientId, clock.now()) };
}
