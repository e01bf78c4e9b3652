import { REVIEW_NOTES_CHARACTERS_MAX } from 'virtual:contract';
import { type FormEvent, useState } from 'react';
import { messagesOf } from '../../../api/errors.ts';
import { useChange } from '../../../api/queries.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { SubmitButton } from '../../../ui/form/submit-button.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import type { Flag } from '../flag-query.ts';
import { useFlagErrors } from './use-flag-errors.ts';

interface ReopenProps {
  readonly flagId: string;
  /** Why the flag is open again, as typed so far. */
  readonly notes: string;
  readonly onNotes: (notes: string) => void;
  readonly onReopened: (flag: Flag) => void;
  readonly onConflict: (flag: Flag) => void;
}

/** Takes a decision back, with notes. The decision stays in the history. */
export function Reopen({ flagId, notes, onNotes, onReopened, onConflict }: ReopenProps) {
  const [isAsking, setIsAsking] = useState(notes !== '');
  const { mutate, error, isPending } = useChange('reopenFlag', onReopened);
  const onError = useFlagErrors(flagId, onConflict);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isPending) mutate({ params: { flagId }, body: { notes } }, { onError });
  };
  const cancel = (): void => {
    onNotes('');
    setIsAsking(false);
  };
  if (!isAsking) {
    return (
      <button type="button" onClick={() => setIsAsking(true)}>
        Reopen
      </button>
    );
  }
  const [refused] = messagesOf(error, 'notes');
  return (
    <form className="reopen" onSubmit={submit}>
      {refused === undefined ? <ErrorAlert error={error} /> : null}
      <TextArea
        label="Why the flag is open again"
        error={refused}
        maxLength={REVIEW_NOTES_CHARACTERS_MAX}
        value={notes}
        onChange={(event) => onNotes(event.target.value)}
        required
        autoFocus
      />
      <div className="buttons">
        <SubmitButton isPending={isPending}>Reopen</SubmitButton>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
