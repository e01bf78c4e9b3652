import type { Organization } from '../../../shared/contract/staff/organizations.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import {
  renameOrganization as rename,
  setOrganizationStatus,
} from '../../../shared/store/staff/organizations.ts';
import type { By } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

type OrganizationChange = 'renameOrganization' | 'suspendOrganization' | 'reactivateOrganization';

export function renameOrganization(
  context: ApiContext,
  request: StaffRequest<'renameOrganization'>,
): Promise<StaffAnswer> {
  return change(context, request, (tx, id, by) => rename(tx, id, request.body, by));
}

export function suspendOrganization(
  context: ApiContext,
  request: StaffRequest<'suspendOrganization'>,
): Promise<StaffAnswer> {
  return change(context, request, (tx, id, by) => setOrganizationStatus(tx, id, 'SUSPENDED', by));
}

export function reactivateOrganization(
  context: ApiContext,
  request: StaffRequest<'reactivateOrganization'>,
): Promise<StaffAnswer> {
  return change(context, request, (tx, id, by) => setOrganizationStatus(tx, id, 'ACTIVE', by));
}

async function change(
  context: ApiContext,
  request: StaffRequest<OrganizationChange>,
  act: (tx: Tx, organizationId: string, by: By) => Promise<Organization>,
): Promise<StaffAnswer> {
  const { organizationId } = request.params;
  const data = await changeByStaff(context, request, (tx, by) => act(tx, organizationId, by));
  return { status: 200, data };
}
