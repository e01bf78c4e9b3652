import type { Client } from '../../../shared/contract/admin/clients.ts';
import { changeClient as change, setClientStatus } from '../../../shared/store/client-admin.ts';
import type { Tx } from '../../../shared/store/db.ts';
import type { By } from '../../../shared/store/users.ts';
import type { ApiContext } from '../../context.ts';
import type { AdminAdmitted, AdminAnswer } from '../../edge/admin-route.ts';
import { changeByStaff } from '../change-by-staff.ts';

type ClientChange = 'changeClient' | 'suspendClient' | 'reactivateClient';

export function changeClient(
  context: ApiContext,
  request: AdminAdmitted<'changeClient'>,
): Promise<AdminAnswer> {
  return act(context, request, (tx, id, by) => change(tx, id, request.body, by));
}

export function suspendClient(
  context: ApiContext,
  request: AdminAdmitted<'suspendClient'>,
): Promise<AdminAnswer> {
  return act(context, request, (tx, id, by) => setClientStatus(tx, id, 'SUSPENDED', by));
}

export function reactivateClient(
  context: ApiContext,
  request: AdminAdmitted<'reactivateClient'>,
): Promise<AdminAnswer> {
  return act(context, request, (tx, id, by) => setClientStatus(tx, id, 'ACTIVE', by));
}

async function act(
  context: ApiContext,
  request: AdminAdmitted<ClientChange>,
  changeIt: (tx: Tx, apiClientId: string, by: By) => Promise<Client>,
): Promise<AdminAnswer> {
  const { apiClientId } = request.params;
  const data = await changeByStaff(context, request, (tx, by) => changeIt(tx, apiClientId, by));
  return { status: 200, data };
}
