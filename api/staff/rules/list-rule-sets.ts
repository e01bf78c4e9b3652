import { listRuleSets as list } from '../../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function listRuleSets(
  { db, clock }: ApiContext,
  { query }: StaffRequest<'listRuleSets'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await list(db, query, clock.now()) };
}
