import type { FLAG_ENDPOINTS, FlagItem } from '../../shared/contract/staff/flags.ts';
import { assignFlag, listAssignees } from '../../shared/store/staff/flags/assign.ts';
import { listFlags, requireFlag } from '../../shared/store/staff/flags/read-flags.ts';
import { type Review, reviewFlag } from '../../shared/store/staff/flags/review.ts';
import type { ApiContext } from '../context.ts';
import { actAsStaff } from './act.ts';
import { requireMeaningfulCriteria } from './criteria.ts';
import { type HandlersOf, ok, type StaffRequest } from './route.ts';

export const FLAG_HANDLERS: HandlersOf<typeof FLAG_ENDPOINTS> = {
  async listFlags({ db, keyring, clock }, { query }) {
    requireMeaningfulCriteria(query, ['plateNumber']);
    return ok(await listFlags(db, keyring, query, clock.now()));
  },

  async listFlagAssignees({ db }, { query }) {
    return ok(await listAssignees(db, query));
  },

  async readFlag({ db, keyring, clock }, { params }) {
    return ok(await requireFlag(db, keyring, params.flagId, clock.now()));
  },

  async clearFlag(context, request) {
    return ok(await review(context, request, 'CLEARED'));
  },

  async referFlag(context, request) {
    return ok(await review(context, request, 'REFERRED_TO_INSURER'));
  },

  async reopenFlag(context, request) {
    return ok(await review(context, request, 'OPEN'));
  },

  async assignFlag(context, request) {
    const { keyring } = context;
    const { flagId } = request.params;
    const flag = await actAsStaff(context, request, async (tx, by) => {
      await assignFlag(tx, keyring, flagId, request.body, by);
      return requireFlag(tx, keyring, flagId, by.at);
    });
    return ok(flag);
  },
};

/** Carries out the transition and returns the flag as it is now. */
function review(
  context: ApiContext,
  request: StaffRequest<'clearFlag' | 'referFlag' | 'reopenFlag'>,
  status: Review['status'],
): Promise<FlagItem> {
  const { keyring } = context;
  const { flagId } = request.params;
  return actAsStaff(context, request, async (tx, by) => {
    await reviewFlag(tx, keyring, { flagId, status, notes: request.body.notes }, by);
    return requireFlag(tx, keyring, flagId, by.at);
  });
}
