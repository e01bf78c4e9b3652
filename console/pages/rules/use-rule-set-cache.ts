import { useQueryClient } from '@tanstack/react-query';
import { keyOf } from '../../api/queries.ts';
import type { RuleSet } from './rule-set.ts';

interface RuleSetCache {
  /** Shows the rule set as an answer gave it. */
  show(ruleSet: RuleSet): void;
  /** Reads again what a request without an answer may have changed. */
  readAgain(): void;
}

/** What pages show of a rule set. Any change of it makes lists, the rule set in force and trials out of date. */
export function useRuleSetCache(ruleSetId: string): RuleSetCache {
  const client = useQueryClient();
  const queryKey = keyOf('readRuleSet', { params: { ruleSetId } });
  const readOthersAgain = (): void => {
    for (const name of ['listRuleSets', 'readActiveRuleSet'])
      void client.invalidateQueries({ queryKey: [name] });
    client.removeQueries({ queryKey: ['tryRuleSet'] });
  };
  return {
    show: (ruleSet) => {
      client.setQueryData(queryKey, ruleSet);
      readOthersAgain();
    },
    readAgain: () => {
      void client.invalidateQueries({ queryKey });
      readOthersAgain();
    },
  };
}
