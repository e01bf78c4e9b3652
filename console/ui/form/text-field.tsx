import { type InputHTMLAttributes, type RefObject, useId } from 'react';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly ref?: RefObject<HTMLInputElement | null>;
}

/** A labelled field with its hint and its error, which screen readers read with it. */
export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  const id = useId();
  const descriptions = [
    hint === undefined ? undefined : `${id}-hint`,
    error === undefined ? undefined : `${id}-error`,
  ].filter((one) => one !== undefined);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === undefined ? null : (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <input
        {...input}
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={descriptions.length === 0 ? undefined : descriptions.join(' ')}
      />
    </div>
  );
}
