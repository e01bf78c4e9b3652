import type { ChangeEvent } from 'react';
import { useDraft } from '../../session/drafts.tsx';

type Values<Name extends string> = Readonly<Record<Name, string>>;

interface FormDraft<Name extends string> {
  readonly values: Values<Name>;
  change(name: Name, value: string): void;
  /** The properties of a field. */
  bind(name: Name): {
    readonly name: string;
    readonly value: string;
    readonly onChange: (event: ChangeEvent<{ value: string }>) => void;
  };
  /** After a success: the form begins anew. */
  forget(): void;
}

/** What is typed into the fields of a form. It outlives the form and the session, until it is saved. */
export function useFormDraft<Name extends string>(
  key: string,
  initial: Values<Name>,
): FormDraft<Name> {
  const [draft, setDraft] = useDraft(key);
  const values = draft === '' ? initial : (JSON.parse(draft) as Values<Name>);
  const change = (name: Name, value: string): void =>
    setDraft(JSON.stringify({ ...values, [name]: value }));
  return {
    values,
    change,
    bind: (name) => ({
      name,
      value: values[name],
      onChange: (event) => change(name, event.target.value),
    }),
    forget: () => setDraft(''),
  };
}
