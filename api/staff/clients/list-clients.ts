import { listClients as list } from '../../../shared/store/staff/clients.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listClients(
  { db, clock }: ApiContext,
  { query }: AdminAdmitted<'listClients'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query, clock.now()) };
}
