import { type FormEvent, useState } from 'react';

/** What was typed into the field with this name. */
type ReadField = (name: string) => string;

interface Submitting {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Sends a form by script, once at a time. The form keeps what was typed when it is refused. */
export function useSubmit(send: (field: ReadField) => Promise<void>): Submitting {
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isPending) return;
    const form = new FormData(event.currentTarget);
    const field: ReadField = (name) => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    setIsPending(true);
    setError(undefined);
    send(field)
      .catch(setError)
      .finally(() => setIsPending(false));
  };
  return { error, isPending, submit };
}
