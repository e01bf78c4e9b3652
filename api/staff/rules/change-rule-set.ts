import type { RuleSet } from '../../../shared/contract/staff/rules.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import {
  activateRuleSet as activate,
  changeRuleSet as change,
  withdrawRuleSet as withdraw,
} from '../../../shared/store/staff/rule-sets.ts';
import type { By } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

type RuleSetChange = 'changeRuleSet' | 'activateRuleSet' | 'withdrawRuleSet';

export function changeRuleSet(
  context: ApiContext,
  request: StaffRequest<'changeRuleSet'>,
): Promise<StaffAnswer> {
  return act(context, request, (tx, id, by) => change(tx, id, request.body, by));
}

export function activateRuleSet(
  context: ApiContext,
  request: StaffRequest<'activateRuleSet'>,
): Promise<StaffAnswer> {
  return act(context, request, (tx, id, by) => activate(tx, id, request.body, by));
}

export function withdrawRuleSet(
  context: ApiContext,
  request: StaffRequest<'withdrawRuleSet'>,
): Promise<StaffAnswer> {
  return act(context, request, (tx, id, by) => withdraw(tx, id, request.body.expectedVersion, by));
}

async function act(
  context: ApiContext,
  request: StaffRequest<RuleSetChange>,
  changeIt: (tx: Tx, ruleSetId: string, by: By) => Promise<RuleSet>,
): Promise<StaffAnswer> {
  const { ruleSetId } = request.params;
  const data = await changeByStaff(context, request, (tx, by) => changeIt(tx, ruleSetId, by));
  return { status: 200, data };
}
