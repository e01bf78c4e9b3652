import { type RefObject, type TextareaHTMLAttributes, useId } from 'react';

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'> {
  readonly label: string;
  readonly error?: string | undefined;
  readonly ref?: RefObject<HTMLTextAreaElement | null>;
}

/** A labelled field for text of several lines, in any direction of writing. */
export function TextArea({ label, error, ...textArea }: TextAreaProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {error === undefined ? null : (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <textarea
        dir="auto"
        rows={2}
        {...textArea}
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      />
    </div>
  );
}
