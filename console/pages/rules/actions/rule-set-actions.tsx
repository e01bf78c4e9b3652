import { Link } from 'wouter';
import { isApiError, Unreachable } from '../../../api/errors.ts';
import { useMay } from '../../../session/session-context.ts';
import type { RuleSet } from '../rule-set.ts';
import { useRuleSetCache } from '../use-rule-set-cache.ts';
import { Activate } from './activate.tsx';
import { Withdraw } from './withdraw.tsx';

interface RuleSetActionsProps {
  readonly ruleSet: RuleSet;
  /** The rule set in force; undefined until it is read. */
  readonly active: RuleSet | undefined;
  readonly onSuccess: (sentence: string) => void;
  /** Called with a refusal after which this action is no longer possible. */
  readonly onTooLate: (refusal: unknown) => void;
}

export interface Acting {
  readonly ruleSet: RuleSet;
  /** Runs an action, and shows the rule set as it is afterwards. */
  readonly act: (action: () => Promise<RuleSet>, sentence: string) => Promise<void>;
}

/** What the user may do with the rule set now. Nothing for a role that only reads. */
export function RuleSetActions({ ruleSet, active, onSuccess, onTooLate }: RuleSetActionsProps) {
  const cache = useRuleSetCache(ruleSet.id);
  const mayManage = useMay('rules:manage');
  const act: Acting['act'] = async (action, sentence) => {
    try {
      cache.show(await action());
      onSuccess(sentence);
    } catch (error) {
      if (error instanceof Unreachable) cache.readAgain();
      if (isApiError(error, 'CONFLICT') && error.data !== null) {
        const current = error.data as RuleSet;
        cache.show(current);
        // Its button and dialog are gone then.
        if (current.status !== ruleSet.status) onTooLate(error);
      }
      throw error;
    }
  };
  if (!mayManage) return null;
  return (
    <div className="buttons">
      {ruleSet.status === 'DRAFT' ? <Activate ruleSet={ruleSet} active={active} act={act} /> : null}
      {ruleSet.status === 'SCHEDULED' ? <Withdraw ruleSet={ruleSet} act={act} /> : null}
      {ruleSet.status === 'DRAFT' ? null : (
        <Link href={`/rules/new?from=${ruleSet.id}`} className="button">
          Draft with these values
        </Link>
      )}
    </div>
  );
}
