import type { ORGANIZATION_ENDPOINTS } from '../../shared/contract/staff/organizations.ts';
import { readToday } from '../../shared/store/sandbox/registry-day.ts';
import * as store from '../../shared/store/staff/organizations.ts';
import { countForOrganization } from '../../shared/store/staff/views/organization-counts.ts';
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

  async countForOrganization({ db, clock, config }, { params }) {
    const { id } = await store.requireOrganization(db, params.organizationId);
    const today = await readToday(db, config, clock.now());
    return ok(await countForOrganization(db, id, today));
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
    const { reason } = request.body;
    const organization = await actAsStaff(context, request, (tx, by) =>
      store.setOrganizationStatus(tx, organizationId, 'SUSPENDED', { ...by, reason }),
    );
    return ok(organization);
  },

  async reactivateOrganization(context, request) {
    const { organizationId } = request.params;
    const { reason } = request.body;
    const organization = await actAsStaff(context, request, (tx, by) =>
      store.setOrganizationStatus(tx, organizationId, 'ACTIVE', { ...by, reason }),
    );
    return ok(organization);
  },
};
