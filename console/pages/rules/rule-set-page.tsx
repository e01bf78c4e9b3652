import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { isApiError } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { exactTime, Facts } from '../../ui/values/facts.tsx';
import { When } from '../../ui/values/when.tsx';
import { RuleSetActions } from './actions/rule-set-actions.tsx';
import { Comparison } from './comparison.tsx';
import { type RuleSet, shortId } from './rule-set.ts';
import { RuleSetTag } from './rule-set-tag.tsx';
import { RuleSetValues } from './rule-set-values.tsx';
import { Trial } from './trial/trial.tsx';

/** One rule set: its values, how they differ from those in force, a trial, and what can be done with it. */
export function RuleSetPage() {
  const { ruleSetId } = useParams<{ ruleSetId: string }>();
  const { data, error, refetch } = useRead('readRuleSet', { params: { ruleSetId } });
  return (
    <div className="page">
      <p>
        <Link href="/rules">Rules</Link>
      </p>
      {data !== undefined ? (
        <>
          <ErrorAlert error={error} onRetry={() => void refetch()} />
          <RuleSetView key={ruleSetId} ruleSet={data} />
        </>
      ) : isApiError(error, 'NOT_FOUND') || isApiError(error, 'VALIDATION_FAILED') ? (
        <PageTitle title="There is no such rule set" />
      ) : error === null ? (
        <p className="loading">Loading the rule set…</p>
      ) : (
        <ErrorAlert error={error} onRetry={() => void refetch()} />
      )}
    </div>
  );
}

function RuleSetView({ ruleSet }: { ruleSet: RuleSet }) {
  const { data: active, error, refetch } = useRead('readActiveRuleSet', {});
  const [problem, setProblem] = useState<unknown>();
  const [success, setSuccess] = useState<string>();
  const { id, status, note, createdBy, createdAt, activeFrom, activeUntil, version } = ruleSet;
  return (
    <>
      <PageTitle title={`Rule set ${shortId(id)}`}>
        Rule set <span className="identifier">{shortId(id)}</span>
      </PageTitle>
      <p>
        <RuleSetTag status={status} />{' '}
        <span className="quiet">
          version {version}, drafted by <bdi>{createdBy}</bdi> <When at={createdAt} />
        </span>
      </p>
      {note === null ? null : <blockquote dir="auto">{note}</blockquote>}
      {activeFrom === null ? null : (
        <Facts
          facts={[
            ['In force from', exactTime(activeFrom)],
            ['Until', exactTime(activeUntil)],
          ]}
        />
      )}
      <ErrorAlert error={problem} />
      <div role="status">
        {success === undefined ? null : <p className="alert alert-good">{success}</p>}
      </div>
      <RuleSetActions
        ruleSet={ruleSet}
        active={active}
        onSuccess={(sentence) => {
          setSuccess(sentence);
          setProblem(undefined);
        }}
        onTooLate={(refusal) => {
          setProblem(refusal);
          setSuccess(undefined);
        }}
      />
      <div className="rule-columns">
        <section className="page-section" aria-labelledby="values">
          <h2 id="values">Values</h2>
          <RuleSetValues ruleSet={ruleSet} />
        </section>
        {status === 'ACTIVE' ? null : (
          <section className="page-section" aria-labelledby="comparison">
            <h2 id="comparison">Compared with the rule set in force</h2>
            <ErrorAlert error={error} onRetry={() => void refetch()} />
            {active === undefined ? null : <Comparison active={active} ruleSet={ruleSet} />}
          </section>
        )}
      </div>
      {status === 'ACTIVE' ? null : (
        <section className="page-section" aria-labelledby="trial">
          <h2 id="trial">Trial</h2>
          <Trial key={version} ruleSet={ruleSet} />
        </section>
      )}
    </>
  );
}
