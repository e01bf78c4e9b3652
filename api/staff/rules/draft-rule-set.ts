import { draftRuleSet as draft } from '../../../shared/store/staff/rule-sets.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

export async function draftRuleSet(
  context: ApiContext,
  request: AdminAdmitted<'draftRuleSet'>,
): Promise<AdminAnswer> {
  const data = await changeByStaff(context, request, (tx, by) => draft(tx, request.body, by));
  return { status: 201, data, headers: { Location: `/admin/v1/rule-sets/${data.id}` } };
}
