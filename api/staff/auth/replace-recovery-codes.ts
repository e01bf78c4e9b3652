import type { RecoveryCodesResult } from '../../../shared/contract/staff/auth.ts';
import { recordAudit } from '../../../shared/store/staff/audit.ts';
import { replaceRecoveryCodes as replace } from '../../../shared/store/staff/sign-in/recovery-codes.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';
import { requirePassword } from './attempt.ts';

export async function replaceRecoveryCodes(
  context: ApiContext,
  request: StaffRequest<'replaceRecoveryCodes'>,
): Promise<StaffAnswer> {
  const { staff, body } = request;
  await requirePassword(context, { email: staff.email, password: body.password }, request);
  const recoveryCodes = await changeByStaff(context, request, async (tx, by) => {
    const codes = await replace(tx, staff.id, context.config.clientSecretPepper[0]);
    await recordAudit(tx, {
      ...by,
      action: 'RECOVERY_CODES_REPLACED',
      target: { type: 'USER', id: staff.id },
    });
    return codes;
  });
  const data: RecoveryCodesResult = { recoveryCodes };
  return { status: 200, data };
}
