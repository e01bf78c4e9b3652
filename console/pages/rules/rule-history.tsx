import { Link } from 'wouter';
import { When } from '../../ui/values/when.tsx';
import { changesBetween, type RuleSet, shortId } from './rule-set.ts';
import { RuleSetTag } from './rule-set-tag.tsx';

interface RuleHistoryProps {
  /** Activated ones. */
  readonly ruleSets: readonly RuleSet[];
  /** True when none is left out, so that each one changed the values of the one below it. */
  readonly isWhole: boolean;
}

/** When each rule set took over or will take over, and what it changed; the latest first. */
export function RuleHistory({ ruleSets, isWhole }: RuleHistoryProps) {
  const ordered = ruleSets.toSorted(
    (one, other) => Date.parse(other.activeFrom ?? '') - Date.parse(one.activeFrom ?? ''),
  );
  if (ordered.length === 0) return null;
  return (
    <ol className="timeline" aria-label="History">
      {ordered.map((ruleSet, index) => (
        <Entry
          key={ruleSet.id}
          ruleSet={ruleSet}
          earlier={isWhole ? ordered[index + 1] : undefined}
        />
      ))}
    </ol>
  );
}

function Entry({ ruleSet, earlier }: { ruleSet: RuleSet; earlier: RuleSet | undefined }) {
  const { id, status, createdBy, activeFrom, note } = ruleSet;
  return (
    <li>
      <p>
        <RuleSetTag status={status} />{' '}
        <Link href={`/rules/${id}`} className="identifier">
          {shortId(id)}
        </Link>{' '}
        {activeFrom === null ? null : (
          <>
            from <When at={activeFrom} isExact />{' '}
          </>
        )}
        <span className="quiet">
          by <bdi>{createdBy}</bdi>
        </span>
      </p>
      {earlier === undefined ? null : <p>{sentenceOf(changesBetween(earlier, ruleSet))}</p>}
      {note === null ? null : (
        <blockquote className="quiet" dir="auto">
          {note}
        </blockquote>
      )}
    </li>
  );
}

function sentenceOf(changes: readonly string[]): string {
  return changes.length === 0 ? 'No value changed.' : changes.join('; ');
}
