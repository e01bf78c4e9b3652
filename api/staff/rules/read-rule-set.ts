import {
  demandRuleSet,
  readActiveRuleSet as readActive,
} from '../../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function readRuleSet(
  { db, clock }: ApiContext,
  { params }: AdminAdmitted<'readRuleSet'>,
): Promise<AdminAnswer> {
  return { status: 200, data: await demandRuleSet(db, params.ruleSetId, clock.now()) };
}

export async function readActiveRuleSet({ db, clock }: ApiContext): Promise<AdminAnswer> {
  return { status: 200, data: await readActive(db, clock.now()) };
}
