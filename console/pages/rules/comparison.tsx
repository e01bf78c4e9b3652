import { Diff } from '../../ui/diff/diff.tsx';
import { changesBetween, type RuleSet, valuesInWords } from './rule-set.ts';

/** How the values differ from those in force. */
export function Comparison({ active, ruleSet }: { active: RuleSet; ruleSet: RuleSet }) {
  if (changesBetween(active, ruleSet).length === 0)
    return <p className="quiet">All values are those of the rule set in force.</p>;
  return <Diff before={valuesInWords(active)} after={valuesInWords(ruleSet)} />;
}
