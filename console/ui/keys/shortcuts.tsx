import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { useStoredChoice } from '../stored-choice.ts';

interface ShortcutSettings {
  readonly areOn: boolean;
  turn(isOn: boolean): void;
}

const ShortcutContext = createContext<ShortcutSettings>({ areOn: true, turn: () => undefined });

/** Single-key shortcuts can be turned off (WCAG 2.1.4). */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const [choice, choose] = useStoredChoice('shortcuts', ['on', 'off']);
  const settings = {
    areOn: choice === 'on',
    turn: (isOn: boolean) => choose(isOn ? 'on' : 'off'),
  };
  return <ShortcutContext value={settings}>{children}</ShortcutContext>;
}

export function useShortcutSettings(): ShortcutSettings {
  return useContext(ShortcutContext);
}

const SEQUENCE_MS_MAX = 1_500;
/** Only this key waits for a second one: any other would swallow the key after it. */
const FIRST_KEY = 'g';

/** Keys while no field and no dialog has the focus: one key, or two in a row such as "g f". */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  const { areOn } = useShortcutSettings();
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    if (!areOn) return;
    let startedAt: number | undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (isForSomethingElse(event)) return;
      const isSecond = startedAt !== undefined && event.timeStamp - startedAt < SEQUENCE_MS_MAX;
      startedAt = !isSecond && event.key === FIRST_KEY ? event.timeStamp : undefined;
      const action = current.current[isSecond ? `${FIRST_KEY} ${event.key}` : event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [areOn]);
}

function isForSomethingElse(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const { target } = event;
  const isInField =
    target instanceof Element && target.closest('input, select, textarea, .drop-panel') !== null;
  return isInField || document.querySelector('dialog[open]') !== null;
}
