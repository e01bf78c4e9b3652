import type { Organization } from '../../../shared/contract/staff/organizations.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import {
  renameOrganization as rename,
  setOrganizationStatus,
} from '../../../shared/store/staff/organizations.ts';
import type { By } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { AdminAdmitted, AdminAnswer } from '../../staff/route.ts';

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
