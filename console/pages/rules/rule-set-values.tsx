import { Link } from 'wouter';
import { useDrafts } from '../../session/drafts.tsx';
import { useMay } from '../../session/session-context.ts';
import { ChangeDraft } from './form/change-draft.tsx';
import { newDraftKeyOf } from './form/draft-keys.ts';
import { useEditing } from './form/use-editing.ts';
import { RuleFacts } from './rule-facts.tsx';
import { type RuleSet, shortId } from './rule-set.ts';

/** A form while the rule set is a draft. Changes that its activation by somebody else left without a use are not lost. */
export function RuleSetValues({ ruleSet }: { ruleSet: RuleSet }) {
  const editing = useEditing(ruleSet);
  const mayManage = useMay('rules:manage');
  const drafts = useDrafts();
  if (ruleSet.status === 'DRAFT' && mayManage) return <ChangeDraft editing={editing} />;
  return (
    <>
      {editing.isDirty ? (
        <div role="alert" className="alert alert-warning">
          <p>
            <strong>Rule set {shortId(ruleSet.id)} was activated meanwhile.</strong> It never
            changes again, and your changes were not saved.
          </p>
          <div className="buttons">
            <Link
              href={`/rules/new?from=${ruleSet.id}`}
              className="button primary"
              onClick={() => {
                drafts.set(newDraftKeyOf(ruleSet.id), JSON.stringify(editing.texts));
                editing.discard();
              }}
            >
              Draft another one with my values
            </Link>
            <button type="button" onClick={editing.discard}>
              Discard my changes
            </button>
          </div>
        </div>
      ) : null}
      <RuleFacts ruleSet={ruleSet} />
    </>
  );
}
