import type { FLAG_ENDPOINTS } from '../../shared/contract/staff/flags.ts';
import * as store from '../../shared/store/staff/flags.ts';
import { actAsStaff } from './act.ts';
import { type HandlersOf, ok } from './route.ts';

export const FLAG_HANDLERS: HandlersOf<typeof FLAG_ENDPOINTS> = {
  async listFlags({ db, clock }, { query }) {
    return ok(await store.listFlags(db, query, clock.now()));
  },

  async readFlag({ db, clock }, { params }) {
    return ok(await store.requireFlag(db, params.flagId, clock.now()));
  },

  async clearFlag(context, request) {
    const review = { flagId: request.params.flagId, notes: request.body.notes };
    const flag = await actAsStaff(context, request, (tx, by) =>
      store.reviewFlag(tx, { ...review, status: 'CLEARED' }, by),
    );
    return ok(flag);
  },

  async referFlag(context, request) {
    const review = { flagId: request.params.flagId, notes: request.body.notes };
    const flag = await actAsStaff(context, request, (tx, by) =>
      store.reviewFlag(tx, { ...review, status: 'REFERRED_TO_INSURER' }, by),
    );
    return ok(flag);
  },
};
