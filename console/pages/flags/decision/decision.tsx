import { useState } from 'react';
import { useDraft } from '../../../session/drafts.tsx';
import { useMay } from '../../../session/session-context.ts';
import type { Flag } from '../flag-query.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { DecidedBy } from './decided-by.tsx';
import { DecisionForm } from './decision-form.tsx';
import { NextFlag, type NextStep } from './next-flag.tsx';
import { Reopen } from './reopen.tsx';

interface DecisionProps {
  readonly flag: Flag;
  /** The next flag of the list, or its next page; undefined after the last one. */
  readonly next: NextStep | undefined;
  /** The flag as it is after a decision of this or another user. */
  readonly onChanged: (flag: Flag) => void;
}

/** What an amendment resolved stays resolved (D77). */
const REOPENABLE: readonly Flag['status'][] = ['CLEARED', 'REFERRED_TO_INSURER'];

/**
 * The form while the flag is open, then the decision. Notes that somebody else's act left without a use are shown with it. Give it
 * the flag's id as its React key.
 */
export function Decision({ flag, next, onChanged }: DecisionProps) {
  const [notes, setNotes] = useDraft(`flag ${flag.id}`);
  const [reopening, setReopening] = useDraft(`reopening of flag ${flag.id}`);
  const [wasDecidedHere, setWasDecidedHere] = useState(false);
  const mayReview = useMay('flags:review');
  const isReopenable = REOPENABLE.includes(flag.status);

  if (reopening !== '' && !isReopenable)
    return (
      <ConflictNotice
        what={
          flag.status === 'OPEN'
            ? 'Somebody else has reopened the flag.'
            : 'An amendment has resolved the flag.'
        }
        notes={reopening}
        onDiscard={() => setReopening('')}
      />
    );
  if (flag.status === 'OPEN' && mayReview) {
    return (
      <DecisionForm
        flag={flag}
        notes={notes}
        onNotes={setNotes}
        onDecided={(decided) => {
          setNotes('');
          setWasDecidedHere(true);
          onChanged(decided);
        }}
        onConflict={onChanged}
      />
    );
  }
  if (notes !== '')
    return (
      <ConflictNotice
        what="Somebody else has decided."
        notes={notes}
        onDiscard={() => setNotes('')}
      >
        <DecidedBy flag={flag} />
      </ConflictNotice>
    );
  return (
    <section className="decision" aria-label="Decision">
      <DecidedBy flag={flag} />
      <div className="buttons">
        <NextFlag next={next} takesFocus={wasDecidedHere} />
        {mayReview && isReopenable ? (
          <Reopen
            flagId={flag.id}
            notes={reopening}
            onNotes={setReopening}
            onReopened={(reopened) => {
              setReopening('');
              setWasDecidedHere(false);
              onChanged(reopened);
            }}
            onConflict={onChanged}
          />
        ) : null}
      </div>
    </section>
  );
}
