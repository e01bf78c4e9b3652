import { demandClient } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function readClient(
  { db, clock }: ApiContext,
  { params }: AdminAdmitted<'readClient'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandClient(db, params.apiClientId, clock.now()) };
}
