import type { ReactNode } from 'react';
import { CopyButton } from '../../../ui/values/copy-button.tsx';

interface ConflictNoticeProps {
  /** What somebody else did. */
  readonly what: string;
  /** What this user typed. */
  readonly notes: string;
  readonly onDiscard: () => void;
  /** More about what somebody else did. */
  readonly children?: ReactNode;
}

/** Of two reviewers at once the first one acts. The second one sees what was done and keeps the own notes. */
export function ConflictNotice({ what, notes, onDiscard, children }: ConflictNoticeProps) {
  return (
    <section className="decision" aria-label="Decision">
      <div role="alert" className="alert alert-warning">
        <p>
          <strong>{what}</strong> Your notes were not saved.
        </p>
        {children}
      </div>
      <p className="quiet">Your notes</p>
      <blockquote dir="auto">{notes}</blockquote>
      <div className="buttons">
        <button type="button" className="primary" onClick={onDiscard}>
          Discard my notes
        </button>
        <CopyButton text={notes} what="notes" />
      </div>
    </section>
  );
}
