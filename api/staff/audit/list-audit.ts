import { listAudit as list } from '../../../shared/store/staff/audit.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listAudit(
  { db }: ApiContext,
  { query }: AdminAdmitted<'listAudit'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query) };
}
