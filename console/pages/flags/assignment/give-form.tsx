import { type FormEvent, useId } from 'react';
import { useRead } from '../../../api/queries.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';

/** More users than may review flags anywhere. */
const LIMIT = 200;

interface GiveFormProps {
  /** One's own id: to take a flag there is a button. */
  readonly ownId: string;
  readonly onGive: (userId: string) => void;
}

/** Chooses another user who may review flags. */
export function GiveForm({ ownId, onGive }: GiveFormProps) {
  const id = useId();
  const { data, error, refetch } = useRead('listFlagAssignees', { query: { limit: LIMIT } });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const chosen = new FormData(event.currentTarget).get('assignee');
    if (typeof chosen === 'string' && chosen !== '') onGive(chosen);
  };
  if (data === undefined)
    return error === null ? (
      <p className="loading">Loading users…</p>
    ) : (
      <ErrorAlert error={error} onRetry={() => void refetch()} />
    );
  const others = data.items.filter((user) => user.id !== ownId);
  if (others.length === 0) return <p>Nobody else may review flags.</p>;
  return (
    <form className="give-form" onSubmit={submit}>
      <label htmlFor={id}>Give it to</label>
      <select id={id} name="assignee">
        {others.map((user) => (
          <option key={user.id} value={user.id}>
            {user.email}
          </option>
        ))}
      </select>
      <button type="submit">Give</button>
    </form>
  );
}
