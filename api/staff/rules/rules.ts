import type { RULE_SET_ENDPOINTS } from '../../../shared/contract/staff/rules.ts';
import * as store from '../../../shared/store/staff/rule-sets.ts';
import { actAsStaff } from '../act.ts';
import { created, type HandlersOf, ok } from '../route.ts';
import { tryRuleSet } from './trial.ts';

export const RULE_SET_HANDLERS: HandlersOf<typeof RULE_SET_ENDPOINTS> = {
  async listRuleSets({ db, clock }, { query }) {
    return ok(await store.listRuleSets(db, query, clock.now()));
  },

  async draftRuleSet(context, request) {
    const ruleSet = await actAsStaff(context, request, (tx, by) =>
      store.draftRuleSet(tx, request.body, by),
    );
    return created(ruleSet, `/admin/v1/rule-sets/${ruleSet.id}`);
  },

  async readActiveRuleSet({ db, clock }) {
    return ok(await store.readActiveRuleSet(db, clock.now()));
  },

  async readRuleSet({ db, clock }, { params }) {
    return ok(await store.requireRuleSet(db, params.ruleSetId, clock.now()));
  },

  async changeRuleSet(context, request) {
    const { params, body } = request;
    const ruleSet = await actAsStaff(context, request, (tx, by) =>
      store.changeRuleSet(tx, params.ruleSetId, body, by),
    );
    return ok(ruleSet);
  },

  tryRuleSet,

  async activateRuleSet(context, request) {
    const { params, body } = request;
    const ruleSet = await actAsStaff(context, request, (tx, by) =>
      store.activateRuleSet(tx, params.ruleSetId, body, by),
    );
    return ok(ruleSet);
  },

  async withdrawRuleSet(context, request) {
    const { params, body } = request;
    const ruleSet = await actAsStaff(context, request, (tx, by) =>
      store.withdrawRuleSet(tx, params.ruleSetId, body.expectedVersion, by),
    );
    return ok(ruleSet);
  },
};
