import { listParked as list } from '../../../shared/store/intake/parked.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listParked(
  { db }: ApiContext,
  { query }: AdminAdmitted<'listParked'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query) };
}
