import type { Organization } from '../../../shared/contract/admin/organizations.ts';
import type { Tx } from '../../../shared/store/db.ts';
import {
  renameOrganization as rename,
  setOrganizationStatus,
} from '../../../shared/store/organizations.ts';
import type { By } from '../../../shared/store/users.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

type OrganizationChange = 'renameOrganization' | 'suspendOrganization' | 'reactivateOrganization';

export function renameOrganization(
  context: ApiContext,
  request: AdminAdmitted<'renameOrganization'>,
): Promise<AdminAnswer> {
  return change(context, request, (tx, id, by) => rename(tx, id, request.body, by));
}

export function suspendOrganization(
  context: ApiContext,
  request: AdminAdmitted<'suspendOrganization'>,
): Promise<AdminAnswer> {
  return change(context, request, (tx, id, by) => setOrganizationStatus(tx, id, 'SUSPENDED', by));
}

export function reactivateOrganization(
  context: ApiContext,
  request: AdminAdmitted<'reactivateOrganization'>,
): Promise<AdminAnswer> {
  return change(context, request, (tx, id, by) => setOrganizationStatus(tx, id, 'ACTIVE', by));
}

async function change(
  context: ApiContext,
  request: AdminAdmitted<OrganizationChange>,
  act: (tx: Tx, organizationId: string, by: By) => Promise<Organization>,
): Promise<AdminAnswer> {
  const { organizationId } = request.params;
  const data = await changeByStaff(context, request, (tx, by) => act(tx, organizationId, by));
  return { status: 200, data };
}
