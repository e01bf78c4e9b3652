import { listTransmissions as list } from '../../../shared/store/staff/transmissions.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listTransmissions(
  { db }: ApiContext,
  { query }: StaffRequest<'listTransmissions'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query) };
}
