import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { Unreachable } from '../../../api/errors.ts';
import { useChange, useRead } from '../../../api/queries.ts';
import { useDraft } from '../../../session/drafts.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { type RuleSet, shortId } from '../rule-set.ts';
import { newDraftKeyOf } from './draft-keys.ts';
import { RuleSetFields } from './rule-set-fields.tsx';
import { bodyOf, type Texts, textsOf } from './texts.ts';

/** Drafts a rule set, beginning with the values of the one in force or, with `from` in the URL, of another one. */
export function NewDraftPage() {
  const [params] = useSearchParams();
  const from = params.get('from');
  const active = useRead('readActiveRuleSet', {}, { isEnabled: from === null });
  const chosen = useRead(
    'readRuleSet',
    { params: { ruleSetId: from ?? '' } },
    { isEnabled: from !== null },
  );
  const { data, error, refetch } = from === null ? active : chosen;
  return (
    <div className="page">
      <p>
        <Link href="/rules">Rules</Link>
      </p>
      <PageTitle title="Draft a rule set" />
      {data !== undefined ? (
        <NewDraft key={from} source={data} draftKey={newDraftKeyOf(from)} />
      ) : error === null ? (
        <p className="loading">Loading the rule set…</p>
      ) : (
        <ErrorAlert error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function NewDraft({ source, draftKey }: { source: RuleSet; draftKey: string }) {
  const [typed, type] = useDraft(draftKey);
  const texts = typed === '' ? { ...textsOf(source), note: '' } : (JSON.parse(typed) as Texts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const drafting = useChange('draftRuleSet', ({ id }) => {
    type('');
    void client.invalidateQueries({ queryKey: ['listRuleSets'] });
    navigate(`/rules/${id}`);
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (drafting.isPending) return;
    const onError = (error: unknown): void => {
      if (error instanceof Unreachable)
        void client.invalidateQueries({ queryKey: ['listRuleSets'] });
    };
    drafting.mutate({ body: bodyOf(texts) }, { onError });
  };
  return (
    <form className="rule-form" onSubmit={submit}>
      <p className="hint">
        It begins with the values of rule set <code>{shortId(source.id)}</code>
        {source.status === 'ACTIVE' ? ', which is in force' : ''}. A draft judges no transmission
        until it is activated.
      </p>
      <ErrorAlert error={drafting.error} />
      <RuleSetFields
        texts={texts}
        error={drafting.error}
        onChange={(next) => type(JSON.stringify(next))}
      />
      <div className="buttons">
        <SubmitButton isPending={drafting.isPending}>Save the draft</SubmitButton>
        <Link href="/rules" className="button" onClick={() => type('')}>
          Cancel
        </Link>
      </div>
    </form>
  );
}
