import type { POOL_ENDPOINTS } from '../../shared/contract/staff/pools.ts';
import * as memberships from '../../shared/store/staff/memberships.ts';
import * as store from '../../shared/store/staff/pools.ts';
import { actAsStaff } from './act.ts';
import { created, type HandlersOf, ok } from './route.ts';

export const POOL_HANDLERS: HandlersOf<typeof POOL_ENDPOINTS> = {
  async listPools({ db }, { query }) {
    return ok(await store.listPools(db, query));
  },

  async createPool(context, request) {
    const pool = await actAsStaff(context, request, (tx, by) =>
      store.createPool(tx, request.body, by),
    );
    return created(pool, `/admin/v1/pools/${pool.id}`);
  },

  async readPool({ db }, { params }) {
    return ok(await store.requirePool(db, params.poolId));
  },

  async changePool(context, request) {
    const { params, body } = request;
    const pool = await actAsStaff(context, request, (tx, by) =>
      store.changePool(tx, params.poolId, body, by),
    );
    return ok(pool);
  },

  async listMemberships({ db }, { params, query }) {
    return ok(await memberships.listMemberships(db, params.poolId, query));
  },

  async listMembershipsOfInsurer({ db }, { params, query }) {
    return ok(await memberships.listMembershipsOfInsurer(db, params.organizationId, query));
  },

  async addMembership(context, request) {
    const { params, body } = request;
    const membership = await memberships.refusingOverlap(() =>
      actAsStaff(context, request, (tx, by) =>
        memberships.addMembership(tx, params.poolId, body, by),
      ),
    );
    return created(membership);
  },

  async endMembership(context, request) {
    const { params, body } = request;
    const membership = await memberships.refusingOverlap(() =>
      actAsStaff(context, request, (tx, by) => memberships.endMembership(tx, params, body, by)),
    );
    return ok(membership);
  },
};
