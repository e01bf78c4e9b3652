import { listParked as list } from '../../../shared/store/parked.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';

export async function listParked(
  { db }: ApiContext,
  { query }: AdminAdmitted<'listParked'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query) };
}
