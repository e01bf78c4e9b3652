import { type KeyboardEvent, useEffect, useState } from 'react';

interface SelectFilterProps<Option extends string> {
  readonly label: string;
  /** The entry for no filter. */
  readonly any: string;
  readonly options: readonly Option[];
  readonly words?: Readonly<Record<Option, string>>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter with few values. The value of an old link that it does not know shows as such. */
export function SelectFilter<Option extends string>({
  label,
  any,
  options,
  words,
  value,
  onChange,
}: SelectFilterProps<Option>) {
  const isKnown = value === '' || options.some((option) => option === value);
  return (
    <select
      aria-label={label}
      className={value === '' ? undefined : 'is-set'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {words?.[option] ?? option}
        </option>
      ))}
      {isKnown ? null : <option value={value}>{value}</option>}
    </select>
  );
}

interface InputFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter that is typed. It takes effect with Enter or when the focus leaves, so that a half-typed value is never searched. */
export function InputFilter({ label, value, onChange }: InputFilterProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const apply = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') apply();
  };
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      className={value === '' ? undefined : 'is-set'}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={apply}
    />
  );
}

interface RefusedFilterProps {
  readonly name: string;
  readonly value: string;
  readonly message: string;
  readonly onRemove: () => void;
}

/** A part of an old or edited link that the registry does not accept. */
export function RefusedFilter({ name, value, message, onRemove }: RefusedFilterProps) {
  return (
    <p className="refused-filter" role="alert">
      <code>
        {name}={value}
      </code>{' '}
      {message}{' '}
      <button type="button" className="link" onClick={onRemove}>
        Remove
      </button>
    </p>
  );
}
