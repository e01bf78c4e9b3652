import type { FormEvent } from 'react';
import { isApiError } from '../../../api/errors.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { VersionConflict } from '../../../ui/form/version-conflict.tsx';
import { RULE_WORDS } from '../rule-set.ts';
import { RuleSetFields } from './rule-set-fields.tsx';
import { fieldsInConflict, rebase, type Texts, textsOf } from './texts.ts';
import type { Editing } from './use-editing.ts';

const LABELS: Record<keyof Texts, string> = { ...RULE_WORDS, note: 'Note' };

/** The form of a draft. When somebody else has saved the draft meanwhile, it asks which values to keep. */
export function ChangeDraft({ editing }: { editing: Editing }) {
  const { read, now, texts, isDirty, isStale, error, isPending, change, save, discard } = editing;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isPending && isDirty && !isStale) save(texts, read.version);
  };
  const [before, current] = [textsOf(read), textsOf(now)];
  return (
    <form className="rule-form" onSubmit={submit}>
      {isStale && isApiError(error, 'CONFLICT') ? null : <ErrorAlert error={error} />}
      <RuleSetFields texts={texts} error={error} onChange={change} />
      {isStale ? (
        <VersionConflict
          fields={fieldsInConflict(texts, before, current).map((name) => ({
            label: LABELS[name],
            read: before[name],
            now: current[name],
            yours: rebase(texts, before, current)[name],
          }))}
          onUseTheirs={discard}
          onApplyMine={() => save(rebase(texts, before, current), now.version)}
        />
      ) : (
        <div className="buttons">
          <SubmitButton isPending={isPending}>Save the changes</SubmitButton>
          {isDirty ? (
            <>
              <button type="button" onClick={discard}>
                Discard the changes
              </button>
              <span className="quiet" role="status">
                Not saved yet. The comparison, the trial and the activation use the saved values.
              </span>
            </>
          ) : (
            <span className="quiet">No changes yet.</span>
          )}
        </div>
      )}
    </form>
  );
}
