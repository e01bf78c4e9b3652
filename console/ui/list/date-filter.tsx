import { useEffect, useId, useState } from 'react';

interface DateFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** While a year is typed, its first digits are dates of long ago: a date takes effect when its year is complete. */
const COMPLETE = /^(?:19|2\d)\d\d-/;

/** A filter by a calendar date. */
export function DateFilter({ label, value, onChange }: DateFilterProps) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const change = (chosen: string): void => {
    setText(chosen);
    if (chosen === '' || COMPLETE.test(chosen)) onChange(chosen);
  };
  return (
    <div className="date-filter">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="date"
        className={value === '' ? undefined : 'is-set'}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  );
}
