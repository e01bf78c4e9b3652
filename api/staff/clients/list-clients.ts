import { listClients as list } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listClients(
  { db, clock }: ApiContext,
  { query }: StaffRequest<'listClients'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query, clock.now()) };
}
