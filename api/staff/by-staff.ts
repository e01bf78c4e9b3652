import type { AuditAct } from '../../shared/store/staff/audit.ts';
import type { Staff } from '../auth/staff/authenticate-staff.ts';
import type { ApiContext } from '../context.ts';

/** Who, when and from where of an audited act: the part that is the same in every handler. */
export function byStaff(
  { clock, keyring }: Pick<ApiContext, 'clock' | 'keyring'>,
  {
    staff,
    address,
    requestId,
  }: { readonly staff: Staff; readonly address: string; readonly requestId: string },
): Pick<AuditAct, 'actor' | 'address' | 'requestId' | 'at' | 'keys'> {
  const { id, email, role } = staff;
  return {
    actor: { kind: 'STAFF', id, email, role },
    address,
    requestId,
    at: clock.now(),
    keys: keyring,
  };
}
