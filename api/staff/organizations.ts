import type { ORGANIZATION_ENDPOINTS } from '../../shared/contract/staff/organizations.ts';
import * as store from '../../shared/store/staff/organizations.ts';
import { actAsStaff } from './act.ts';
import { created, type HandlersOf, ok } from './route.ts';

export const ORGANIZATION_HANDLERS: HandlersOf<typeof ORGANIZATION_ENDPOINTS> = {
  async listOrganizations({ db }, { query }) {
    return ok(await store.listOrganizations(db, query));
  },

  async createOrganization(context, request) {
    const organization = await actAsStaff(context, request, (tx, by) =>
      store.createOrganization(tx, request.body, by),
    );
    return created(organization, `/admin/v1/organizations/${organization.id}`);
  },

  async readOrganization({ db }, { params }) {
    return ok(await store.requireOrganization(db, params.organizationId));
  },

  async renameOrganization(context, request) {
    const { organizationId } = request.params;
    const organization = await actAsStaff(context, request, (tx, by) =>
      store.renameOrganization(tx, organizationId, request.body, by),
    );
    return ok(organization);
  },

  async suspendOrganization(context, request) {
    const { organizationId } = request.params;
    const organization = await actAsStaff(context, request, (tx, by) =>
      store.setOrganizationStatus(tx, organizationId, 'SUSPENDED', by),
    );
    return ok(organization);
  },

  async reactivateOrganization(context, request) {
    const { organizationId } = request.params;
    const organization = await actAsStaff(context, request, (tx, by) =>
      store.setOrganizationStatus(tx, organizationId, 'ACTIVE', by),
    );
    return ok(organization);
  },
};
