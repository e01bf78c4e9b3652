import type { CLIENT_ENDPOINTS, RevokedTokens } from '../../shared/contract/staff/clients.ts';
import type { SecretKeys } from '../../shared/store/access/clients.ts';
import * as store from '../../shared/store/staff/clients.ts';
import type { ApiContext } from '../context.ts';
import { actAsStaff } from './act.ts';
import { created, type HandlersOf, ok } from './route.ts';

export const CLIENT_HANDLERS: HandlersOf<typeof CLIENT_ENDPOINTS> = {
  async listClients({ db, clock }, { query }) {
    return ok(await store.listClients(db, query, clock.now()));
  },

  async createClient(context, request) {
    const keys = secretKeysOf(context);
    const issued = await actAsStaff(context, request, (tx, by) =>
      store.createClient(tx, request.body, keys, by),
    );
    return created(issued, `/admin/v1/clients/${issued.client.id}`);
  },

  async readClient({ db, clock }, { params }) {
    return ok(await store.requireClient(db, params.apiClientId, clock.now()));
  },

  async changeClient(context, request) {
    const { params, body } = request;
    const client = await actAsStaff(context, request, (tx, by) =>
      store.changeClient(tx, params.apiClientId, body, by),
    );
    return ok(client);
  },

  async suspendClient(context, request) {
    const { apiClientId } = request.params;
    const { reason } = request.body;
    const client = await actAsStaff(context, request, (tx, by) =>
      store.setClientStatus(tx, apiClientId, 'SUSPENDED', { ...by, reason }),
    );
    return ok(client);
  },

  async reactivateClient(context, request) {
    const { apiClientId } = request.params;
    const { reason } = request.body;
    const client = await actAsStaff(context, request, (tx, by) =>
      store.setClientStatus(tx, apiClientId, 'ACTIVE', { ...by, reason }),
    );
    return ok(client);
  },

  async rotateClientSecrets(context, request) {
    const { params, body } = request;
    const keys = secretKeysOf(context);
    const rotated = await actAsStaff(context, request, (tx, by) =>
      store.rotateClientSecrets(tx, params.apiClientId, body, keys, by),
    );
    return ok(rotated);
  },

  async revokeClientTokens(context, request) {
    const { apiClientId } = request.params;
    const revoked = await actAsStaff(context, request, (tx, by) =>
      store.revokeClientTokens(tx, apiClientId, by),
    );
    return ok({ revoked } satisfies RevokedTokens);
  },
};

/** The pepper hashes client secrets, the keyring seals signing secrets. */
function secretKeysOf({ keyring, config }: ApiContext): SecretKeys {
  return { keyring, pepper: config.clientSecretPepper[0] };
}
