import { draftRuleSet as draft } from '../../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

export async function draftRuleSet(
  context: ApiContext,
  request: StaffRequest<'draftRuleSet'>,
): Promise<StaffAnswer> {
  const data = await changeByStaff(context, request, (tx, by) => draft(tx, request.body, by));
  return { status: 201, data, headers: { Location: `/admin/v1/rule-sets/${data.id}` } };
}
