import { useState } from 'react';
import { DropDown } from '../drop-down.tsx';

interface MultiFilterProps {
  readonly label: string;
  /** The button without a filter. */
  readonly any: string;
  readonly options: readonly string[];
  readonly wordsOf: (option: string) => string;
  /** As the API takes it: separated by commas. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A filter that takes several values. It takes effect when its panel closes, so that the list is read once. */
export function MultiFilter({ label, any, options, wordsOf, value, onChange }: MultiFilterProps) {
  const chosen = value === '' ? [] : value.split(',');
  const [marked, setMarked] = useState<readonly string[]>(chosen);
  const open = (isOpen: boolean): void => {
    if (isOpen) setMarked(chosen);
    else if (marked.join(',') !== value) onChange(marked.join(','));
  };
  const mark = (option: string, isMarked: boolean): void =>
    setMarked(options.filter((one) => (one === option ? isMarked : marked.includes(one))));
  return (
    <DropDown
      label={label}
      buttonClass={value === '' ? 'multi-filter' : 'multi-filter is-set'}
      button={
        <>
          <span className="hidden">{label}: </span>
          {textOf(chosen, any, wordsOf)}
        </>
      }
      onOpenChange={open}
    >
      {() =>
        options.map((option) => (
          <label key={option} className="check">
            <input
              type="checkbox"
              checked={marked.includes(option)}
              onChange={(event) => mark(option, event.target.checked)}
            />
            {wordsOf(option)}
          </label>
        ))
      }
    </DropDown>
  );
}

function textOf(
  chosen: readonly string[],
  any: string,
  wordsOf: (option: string) => string,
): string {
  const [first, ...others] = chosen;
  if (first === undefined) return any;
  return others.length === 0 ? wordsOf(first) : `${wordsOf(first)} and ${others.length} more`;
}
