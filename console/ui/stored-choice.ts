import { useState } from 'react';

/** A choice of the user about the console itself, kept in this browser. Nothing of the registry is kept. */
export function useStoredChoice<Choice extends string>(
  key: string,
  choices: readonly [Choice, ...Choice[]],
): [Choice, (choice: Choice) => void] {
  const [choice, setChoice] = useState<Choice>(() => {
    const stored = localStorage.getItem(`console.${key}`);
    return choices.find((one) => one === stored) ?? choices[0];
  });
  const choose = (next: Choice): void => {
    localStorage.setItem(`console.${key}`, next);
    setChoice(next);
  };
  return [choice, choose];
}
