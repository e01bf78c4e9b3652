import { useState } from 'react';
import { REGISTRY_TIME_ZONE } from '../../../api/environment.ts';
import { messagesOf } from '../../../api/errors.ts';
import { useChange } from '../../../api/queries.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { SelectField } from '../../../ui/form/select-field.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { changesBetween, type RuleSet, shortId } from '../rule-set.ts';
import { momentInZone } from '../zoned-time.ts';
import type { Acting } from './rule-set-actions.tsx';

const TIMES = ['now', 'later'] as const;
const TIME_WORDS = { now: 'Now', later: 'At a moment' } as const;

interface ActivateProps extends Acting {
  readonly active: RuleSet | undefined;
}

/** Puts a draft in force, now or later. What it changes stands beside the confirmation. */
export function Activate({ ruleSet, active, act }: ActivateProps) {
  const { id, version } = ruleSet;
  const [time, setTime] = useState<(typeof TIMES)[number]>('now');
  const [local, setLocal] = useState('');
  const { mutateAsync, error } = useChange('activateRuleSet');
  const isNow = time === 'now';

  const activate = async (): Promise<void> => {
    if (!isNow && local === '') throw new Error('Choose the moment at which it takes over.');
    const moment = isNow ? {} : { activeFrom: momentInZone(local, REGISTRY_TIME_ZONE) };
    await act(
      () =>
        mutateAsync({ params: { ruleSetId: id }, body: { ...moment, expectedVersion: version } }),
      isNow ? 'The rule set is in force.' : 'The rule set is scheduled.',
    );
  };
  return (
    <Confirm
      action="Activate"
      title={`Activate rule set ${shortId(id)}`}
      typed={shortId(id)}
      onConfirm={activate}
    >
      <p>It judges every transmission from then on, and never changes again.</p>
      {active === undefined ? null : <Changes active={active} ruleSet={ruleSet} />}
      <SelectField
        label="Takes over"
        options={TIMES}
        words={TIME_WORDS}
        value={time}
        onChange={({ target }) => setTime(target.value === 'now' ? 'now' : 'later')}
      />
      {isNow ? null : (
        <TextField
          label={`Moment (${REGISTRY_TIME_ZONE})`}
          type="datetime-local"
          value={local}
          error={messagesOf(error, 'activeFrom')[0]}
          onChange={({ target }) => setLocal(target.value)}
        />
      )}
    </Confirm>
  );
}

function Changes({ active, ruleSet }: { active: RuleSet; ruleSet: RuleSet }) {
  const changes = changesBetween(active, ruleSet);
  if (changes.length === 0) return <p>It has the values of the rule set in force.</p>;
  return (
    <ul className="changes">
      {changes.map((change) => (
        <li key={change}>{change}</li>
      ))}
    </ul>
  );
}
