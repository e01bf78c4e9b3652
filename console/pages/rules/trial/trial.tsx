import { TRIED_TRANSMISSIONS_MAX } from 'virtual:contract';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { messagesOf } from '../../../api/errors.ts';
import { useRead } from '../../../api/queries.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { RuleSet } from '../rule-set.ts';
import { TrialProgress } from './trial-progress.tsx';
import { TrialResult } from './trial-result.tsx';

/**
 * Judges the latest transmissions by this rule set and by the one in force. The number of them is in the URL, so that a link shows
 * the same trial. Give it the version of the rule set as its React key.
 */
export function Trial({ ruleSet }: { ruleSet: RuleSet }) {
  const [params, setParams] = useSearchParams();
  const last = params.get('trial') ?? undefined;
  const [text, setText] = useState(last ?? String(TRIED_TRANSMISSIONS_MAX));
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useRead(
    'tryRuleSet',
    { params: { ruleSetId: ruleSet.id }, query: { last } },
    { isEnabled: last !== undefined, isFrozen: true },
  );
  const choose = (next: string | undefined): void =>
    setParams(
      (earlier) => {
        const changed = new URLSearchParams(earlier);
        if (next === undefined) changed.delete('trial');
        else changed.set('trial', next);
        return changed;
      },
      { replace: true },
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isFetching) return;
    if (text === last) void refetch();
    else choose(text);
  };
  const stop = (): void => {
    void client.cancelQueries({ queryKey: ['tryRuleSet'] });
    choose(undefined);
  };
  const [refused] = messagesOf(error, 'last');
  return (
    <>
      <form className="trial-form" onSubmit={submit}>
        <TextField
          label="Latest transmissions"
          hint={`At most ${TRIED_TRANSMISSIONS_MAX}. Each is judged by the rule set in force and by this one. Nothing is stored.`}
          inputMode="numeric"
          required
          value={text}
          error={refused}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="buttons">
          <button type="submit" aria-disabled={isFetching} aria-busy={isFetching}>
            Try the rule set
          </button>
          {isFetching ? (
            <button type="button" onClick={stop}>
              Stop
            </button>
          ) : null}
        </div>
      </form>
      {isFetching ? <TrialProgress /> : null}
      {refused === undefined ? <ErrorAlert error={error} onRetry={() => void refetch()} /> : null}
      {data === undefined || isFetching ? null : <TrialResult trial={data} />}
    </>
  );
}
