import type { RecoveryCodesResult } from '../../../shared/contract/admin/auth.ts';
import { recordAudit } from '../../../shared/store/audit.ts';
import { replaceRecoveryCodes as replace } from '../../../shared/store/recovery-codes.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';
import { demandPassword } from './attempt.ts';

export async function replaceRecoveryCodes(
  context: ApiContext,
  request: AdminAdmitted<'replaceRecoveryCodes'>,
): Promise<AdminAnswer> {
  const { staff, body } = request;
  await demandPassword(context, { email: staff.email, password: body.password }, request);
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
