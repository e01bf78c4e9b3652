import { SCOPES } from '../../../shared/contract/enums.ts';
import type { Client, ClientWithSecrets } from '../../../shared/contract/staff/clients.ts';
import type { Organization } from '../../../shared/contract/staff/organizations.ts';
import type { MachineCredentials } from '../api/machine-client.ts';
import { listPage } from './lists.ts';
import type { StaffBrowser } from './staff.ts';

export const CLIENTS = '/admin/v1/clients';

export interface IssuedClient extends MachineCredentials {
  readonly id: string;
  readonly client: Client;
}

/** The id of a demonstration organization. */
export async function organizationId(admin: StaffBrowser, code: string): Promise<string> {
  const path = `/admin/v1/organizations?text=${code}&limit=200`;
  const found = (await listPage<Organization>(admin, path)).items.find((one) => one.code === code);
  if (found === undefined) throw new Error(`${code} is missing`);
  return found.id;
}

let issued = 0;

/** Issues a client of INS-ALPHA with every scope, unless the body says otherwise. */
export async function issueClient(admin: StaffBrowser, body: object = {}): Promise<IssuedClient> {
  issued += 1;
  const { envelope, status, text } = await admin.post(CLIENTS, {
    organizationId: await organizationId(admin, 'INS-ALPHA'),
    name: `issued-${issued}`,
    scopes: SCOPES,
    ...body,
  });
  if (status !== 201) throw new Error(text);
  return credentialsOf(envelope.data);
}

/** The credentials in an answer; a secret that was not replaced stays as it was before. */
export function credentialsOf(data: unknown, before?: IssuedClient): IssuedClient {
  const { client, clientSecret, signingSecret } = data as ClientWithSecrets;
  return {
    id: client.id,
    client,
    clientId: client.clientId,
    clientSecret: clientSecret ?? before?.clientSecret ?? '',
    signingSecret: signingSecret ?? before?.signingSecret ?? '',
  };
}

export function changeClient(admin: StaffBrowser, id: string, body: object) {
  return admin.send({ method: 'PATCH', path: `${CLIENTS}/${id}`, body });
}
