import { useChange } from '../../../api/queries.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { When } from '../../../ui/values/when.tsx';
import { shortId } from '../rule-set.ts';
import type { Acting } from './rule-set-actions.tsx';

/** Takes a scheduled activation back. */
export function Withdraw({ ruleSet, act }: Acting) {
  const { id, version, activeFrom } = ruleSet;
  const { mutateAsync } = useChange('withdrawRuleSet');
  const withdraw = (): Promise<void> =>
    act(
      () => mutateAsync({ params: { ruleSetId: id }, body: { expectedVersion: version } }),
      'The rule set is withdrawn and a draft again.',
    );
  return (
    <Confirm action="Withdraw" title={`Withdraw rule set ${shortId(id)}`} onConfirm={withdraw}>
      <p>
        It does not take over{' '}
        {activeFrom === null ? null : (
          <>
            at <When at={activeFrom} isExact />
          </>
        )}{' '}
        and becomes a draft again.
      </p>
    </Confirm>
  );
}
