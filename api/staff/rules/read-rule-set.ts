import {
  readActiveRuleSet as readActive,
  requireRuleSet,
} from '../../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../../context.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function readRuleSet(
  { db, clock }: ApiContext,
  { params }: StaffRequest<'readRuleSet'>,
): Promise<StaffAnswer> {
  return { status: 200, data: await requireRuleSet(db, params.ruleSetId, clock.now()) };
}

export async function readActiveRuleSet({ db, clock }: ApiContext): Promise<StaffAnswer> {
  return { status: 200, data: await readActive(db, clock.now()) };
}
