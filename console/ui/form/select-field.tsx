import { type SelectHTMLAttributes, useId } from 'react';

interface SelectFieldProps<Option extends string>
  extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'children'> {
  readonly label: string;
  readonly options: readonly Option[];
  readonly words?: Readonly<Record<Option, string>>;
  readonly error?: string | undefined;
}

/** A labelled choice of a few values. */
export function SelectField<Option extends string>({
  label,
  options,
  words,
  error,
  ...select
}: SelectFieldProps<Option>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {error === undefined ? null : (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      <select
        {...select}
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {words?.[option] ?? option}
          </option>
        ))}
      </select>
    </div>
  );
}
