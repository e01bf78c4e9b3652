import { REVIEW_NOTES_CHARACTERS_MAX } from 'virtual:contract';
import { type KeyboardEvent, useRef, useState } from 'react';
import { messagesOf } from '../../../api/errors.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { useShortcuts } from '../../../ui/keys/shortcuts.tsx';
import type { Flag } from '../flag-query.ts';
import { type DecisionName, useDecision } from './use-decision.ts';

interface DecisionFormProps {
  readonly flag: Flag;
  readonly notes: string;
  readonly onNotes: (notes: string) => void;
  readonly onDecided: (flag: Flag) => void;
  readonly onConflict: (flag: Flag) => void;
}

const NEEDS_NOTES = 'Write why you decide so. The notes are kept with the flag.';

/** Clear or refer, with notes. Without a mouse: c or r, the notes, Ctrl+Enter. */
export function DecisionForm({ flag, notes, onNotes, onDecided, onConflict }: DecisionFormProps) {
  const [chosen, setChosen] = useState<DecisionName>('clearFlag');
  const [wasEmpty, setWasEmpty] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const { decide, error, isPending } = useDecision(flag.id, onDecided, onConflict);

  const submit = (decision: DecisionName): void => {
    const isEmpty = notes.trim() === '';
    setChosen(decision);
    setWasEmpty(isEmpty);
    if (isEmpty) field.current?.focus();
    else if (!isPending) decide(decision, notes);
  };
  const choose = (decision: DecisionName): void => {
    setChosen(decision);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(chosen);
    if (event.key === 'Escape') field.current?.blur();
  };
  useShortcuts({
    n: () => field.current?.focus(),
    c: () => choose('clearFlag'),
    r: () => choose('referFlag'),
  });

  const [refused] = messagesOf(error, 'notes');
  const problem = wasEmpty && notes.trim() === '' ? NEEDS_NOTES : refused;
  const buttonProps = (decision: DecisionName) => ({
    className: decision === chosen ? 'primary' : undefined,
    'aria-disabled': isPending,
    onClick: () => submit(decision),
  });
  return (
    <section className="decision" aria-label="Decision">
      {refused === undefined ? <ErrorAlert error={error} /> : null}
      <TextArea
        ref={field}
        label="Notes"
        error={problem}
        maxLength={REVIEW_NOTES_CHARACTERS_MAX}
        value={notes}
        onChange={(event) => onNotes(event.target.value)}
        onKeyDown={onKeyDown}
        aria-required
      />
      <div className="buttons">
        <button type="button" {...buttonProps('clearFlag')}>
          Clear
        </button>
        <button type="button" {...buttonProps('referFlag')}>
          Refer to insurer
        </button>
        <span className="quiet keys-hint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> {chosen === 'clearFlag' ? 'clears' : 'refers'}
        </span>
      </div>
    </section>
  );
}
