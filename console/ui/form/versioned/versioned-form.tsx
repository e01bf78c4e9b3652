import { type ChangeEvent, type FormEvent, type ReactNode, useState } from 'react';
import { isApiError } from '../../../api/errors.ts';
import { useDraft } from '../../../session/drafts.tsx';
import { ErrorAlert } from '../../error-alert.tsx';
import { FormButtons } from '../form-buttons.tsx';
import { VersionConflict } from '../version-conflict.tsx';
import {
  changesOf,
  conflictRowsOf,
  type Edited,
  rebase,
  type Stored,
  type Values,
} from './versioned-values.ts';

interface Fields<Name extends string> {
  readonly values: Values<Name>;
  change(name: Name, value: string): void;
  bind(name: Name): {
    readonly name: string;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<{ value: string }>) => void;
  };
  readonly error: unknown;
}

interface VersionedFormProps<Name extends string> {
  /** Also the React key of the form. */
  readonly draftKey: string;
  readonly stored: Stored<Name>;
  readonly labels: Values<Name>;
  readonly action: string;
  /** Saves the changed fields of a version, of which there is at least one. */
  readonly save: (
    changes: Partial<Record<Name, string>>,
    expectedVersion: number,
  ) => Promise<unknown>;
  /** The object of a refused change as it is now. */
  readonly storedOf: (data: unknown) => Stored<Name>;
  readonly onSaved: () => void;
  readonly onCancel?: () => void;
  readonly children: (fields: Fields<Name>) => ReactNode;
}

/** Changes an object that has versions. When somebody else was faster, nothing is overwritten before the user has compared. */
export function VersionedForm<Name extends string>({
  draftKey,
  stored,
  labels,
  action,
  save,
  storedOf,
  onSaved,
  onCancel,
  children,
}: VersionedFormProps<Name>) {
  const [draft, setDraft] = useDraft(draftKey);
  const [now, setNow] = useState<Stored<Name>>();
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  // The draft has the version that the user saw: a later one that arrives by itself does not replace it.
  const edited: Edited<Name> =
    draft === ''
      ? { version: stored.version, read: stored.values, values: stored.values }
      : (JSON.parse(draft) as Edited<Name>);

  const change = (name: Name, value: string): void =>
    setDraft(JSON.stringify({ ...edited, values: { ...edited.values, [name]: value } }));
  const forget = (): void => {
    setDraft('');
    setNow(undefined);
  };
  const finish = (): void => {
    forget();
    onSaved();
  };
  const refuse = (failure: unknown): void => {
    const isStale = isApiError(failure, 'CONFLICT') && failure.hasDetail('STALE_VERSION');
    setNow(isStale ? storedOf(failure.data) : undefined);
    setError(isStale ? undefined : failure);
  };
  const send = (sent: Edited<Name>): void => {
    if (isPending) return;
    const changes = changesOf(sent);
    if (Object.keys(changes).length === 0) {
      finish();
      return;
    }
    setIsPending(true);
    setError(undefined);
    save(changes, sent.version)
      .then(finish, refuse)
      .finally(() => setIsPending(false));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(edited);
  };
  const applyMine = (current: Stored<Name>): void => {
    const mine = rebase(edited, current);
    setDraft(JSON.stringify(mine));
    send(mine);
  };
  const bind: Fields<Name>['bind'] = (name) => ({
    name,
    value: edited.values[name],
    onChange: (event) => change(name, event.target.value),
  });
  return (
    <form onSubmit={submit}>
      {children({ values: edited.values, change, bind, error })}
      <ErrorAlert error={error} />
      {now === undefined ? (
        <FormButtons
          action={action}
          isPending={isPending}
          {...(onCancel === undefined ? {} : { onCancel })}
        />
      ) : (
        <VersionConflict
          fields={conflictRowsOf(labels, edited, now)}
          onUseTheirs={forget}
          onApplyMine={() => applyMine(now)}
        />
      )}
    </form>
  );
}
