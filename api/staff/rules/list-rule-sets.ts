import { listRuleSets as list } from '../../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function listRuleSets(
  { db, clock }: ApiContext,
  { query }: AdminAdmitted<'listRuleSets'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await list(db, query, clock.now()) };
}
