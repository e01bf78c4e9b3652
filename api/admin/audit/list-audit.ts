import { listAudit as list } from '../../../shared/store/audit.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';

export async function listAudit(
  { db }: ApiContext,
  { query }: AdminAdmitted<'listAudit'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query) };
}
