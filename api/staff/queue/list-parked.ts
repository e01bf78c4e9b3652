import { listParked as list } from '../../../shared/store/intake/parked.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listParked(
  { db }: ApiContext,
  { query }: StaffRequest<'listParked'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query) };
}
