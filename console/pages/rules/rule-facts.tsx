import { Facts } from '../../ui/values/facts.tsx';
import { RULE_NAMES, RULE_WORDS, type RuleSet, ruleInWords } from './rule-set.ts';

/** The values of a rule set. */
export function RuleFacts({ ruleSet }: { ruleSet: RuleSet }) {
  return (
    <Facts
      facts={RULE_NAMES.map((name) => {
        const value = ruleInWords(ruleSet[name]);
        return [RULE_WORDS[name], typeof value === 'object' ? value.join(', ') : value] as const;
      })}
    />
  );
}
