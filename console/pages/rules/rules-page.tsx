import { RULE_SET_STATUSES } from 'virtual:contract';
import { Link } from 'wouter';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session-context.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { FilterBar, filterProps } from '../../ui/list/filter-bar.tsx';
import { SelectFilter } from '../../ui/list/filters.tsx';
import { List } from '../../ui/list/list.tsx';
import { hasFilters, useFilters } from '../../ui/list/use-filters.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { When } from '../../ui/values/when.tsx';
import { Drafts } from './drafts.tsx';
import { RuleFacts } from './rule-facts.tsx';
import { RuleHistory } from './rule-history.tsx';
import { RULE_SET_STATUS_WORDS } from './rule-set.ts';

/** Enough for the whole history of most registries, so that each rule set is beside the one before it. */
const ROWS = 100;

/** The rules in force, and all drafts and earlier rules. */
export function RulesPage() {
  const mayManage = useMay('rules:manage');
  return (
    <div className="page">
      <div className="page-heading">
        <PageTitle title="Rules" />
        {mayManage ? (
          <Link href="/rules/new" className="button primary">
            Draft a rule set
          </Link>
        ) : null}
      </div>
      <section className="page-section" aria-labelledby="in-force">
        <h2 id="in-force">In force</h2>
        <InForce />
      </section>
      <section className="page-section" aria-labelledby="rule-sets">
        <h2 id="rule-sets">Drafts and history</h2>
        <RuleSets />
      </section>
    </div>
  );
}

function InForce() {
  const { data, error, refetch } = useRead('readActiveRuleSet', {});
  const alert = <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined)
    return error === null ? <p className="loading">Loading the rules…</p> : alert;
  return (
    <>
      {alert}
      <RuleFacts ruleSet={data} />
      <p className="quiet">
        Since {data.activeFrom === null ? null : <When at={data.activeFrom} isExact />}
        {data.activeUntil === null ? null : (
          <>
            , until <When at={data.activeUntil} isExact />
          </>
        )}
        . <Link href={`/rules/${data.id}`}>Open this rule set</Link>
      </p>
    </>
  );
}

function RuleSets() {
  const filters = useFilters();
  const query = { limit: ROWS, ...filters.query };
  const read = useRead('listRuleSets', { query }, { keepsEarlier: true });
  return (
    <>
      <FilterBar filters={filters} error={read.error}>
        <SelectFilter
          label="Status"
          any="Any status"
          options={RULE_SET_STATUSES}
          words={RULE_SET_STATUS_WORDS}
          {...filterProps(filters, 'status')}
        />
      </FilterBar>
      <List
        read={read}
        filters={filters}
        one="rule set"
        nothingYet={<p>There are no rule sets.</p>}
      >
        {(rows) => (
          <div className="rule-sets">
            <Drafts drafts={rows.filter(({ status }) => status === 'DRAFT')} />
            <RuleHistory
              ruleSets={rows.filter(({ status }) => status !== 'DRAFT')}
              isWhole={!hasFilters(filters) && read.data?.nextCursor === null}
            />
          </div>
        )}
      </List>
    </>
  );
}
