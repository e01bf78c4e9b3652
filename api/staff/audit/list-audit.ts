import { listAudit as list } from '../../../shared/store/staff/audit.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listAudit(
  { db }: ApiContext,
  { query }: StaffRequest<'listAudit'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query) };
}
