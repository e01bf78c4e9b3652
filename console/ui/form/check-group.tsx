import { useId } from 'react';

interface CheckGroupProps<Option extends string> {
  readonly legend: string;
  readonly options: readonly Option[];
  readonly words?: Readonly<Record<Option, string>>;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: Option[]) => void;
  readonly error?: string | undefined;
}

/** A choice of several values, in their given order. */
export function CheckGroup<Option extends string>({
  legend,
  options,
  words,
  chosen,
  onChange,
  error,
}: CheckGroupProps<Option>) {
  const id = useId();
  const turn = (option: Option, isOn: boolean): void =>
    onChange(options.filter((one) => (one === option ? isOn : chosen.includes(one))));
  return (
    <fieldset className="field checks" aria-describedby={error === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {error === undefined ? null : (
        <p className="field-error" id={id}>
          {error}
        </p>
      )}
      {options.map((option) => (
        <label key={option} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={(event) => turn(option, event.target.checked)}
          />
          {words?.[option] ?? option}
        </label>
      ))}
    </fieldset>
  );
}
