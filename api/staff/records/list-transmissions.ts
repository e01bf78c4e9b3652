import { listTransmissions as list } from '../../../shared/store/staff/transmissions.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listTransmissions(
  { db }: ApiContext,
  { query }: AdminAdmitted<'listTransmissions'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query) };
}
