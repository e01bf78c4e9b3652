import type { Client } from '../../../shared/contract/staff/clients.ts';
import type { Tx } from '../../../shared/db/prisma.ts';
import { changeClient as change, setClientStatus } from '../../../shared/store/staff/clients.ts';
import type { By } from '../../../shared/store/staff/users.ts';
import type { ApiContext } from '../../context.ts';
import { changeByStaff } from '../../staff/change-by-staff.ts';
import type { StaffAnswer, StaffRequest } from '../../staff/route.ts';

type ClientChange = 'changeClient' | 'suspendClient' | 'reactivateClient';

export function changeClient(
  context: ApiContext,
  request: StaffRequest<'changeClient'>,
): Promise<StaffAnswer> {
  return act(context, request, (tx, id, by) => change(tx, id, request.body, by));
}

export function suspendClient(
  context: ApiContext,
  request: StaffRequest<'suspendClient'>,
): Promise<StaffAnswer> {
  return act(context, request, (tx, id, by) => setClientStatus(tx, id, 'SUSPENDED', by));
}

export function reactivateClient(
  context: ApiContext,
  request: StaffRequest<'reactivateClient'>,
): Promise<StaffAnswer> {
  return act(context, request, (tx, id, by) => setClientStatus(tx, id, 'ACTIVE', by));
}

async function act(
  context: ApiContext,
  request: StaffRequest<ClientChange>,
  changeIt: (tx: Tx, apiClientId: string, by: By) => Promise<Client>,
): Promise<StaffAnswer> {
  const { apiClientId } = request.params;
  const data = await changeByStaff(context, request, (tx, by) => changeIt(tx, apiClientId, by));
  return { status: 200, data };
}
