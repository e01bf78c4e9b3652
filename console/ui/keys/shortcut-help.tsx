import { useState } from 'react';
import { Dialog } from '../dialog.tsx';
import { useShortcuts } from './shortcuts.tsx';

type KeyAndEffect = readonly [keys: string, effect: string];

const KEYS: readonly KeyAndEffect[] = [
  ['/', 'go to a reference or identifier'],
  ['j, k', 'next and previous flag'],
  ['n', 'notes'],
  ['c', 'clear: go to the notes'],
  ['r', 'refer to the insurer: go to the notes'],
  ['Ctrl + Enter', 'submit the decision'],
  ['?', 'this help'],
];

interface ShortcutHelpProps {
  /** The pages that keys lead to. */
  readonly pages: readonly { readonly key: string; readonly label: string }[];
}

export function ShortcutHelp({ pages }: ShortcutHelpProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  const lines = [...KEYS, ...pages.map(({ key, label }): KeyAndEffect => [key, label])];
  useShortcuts({ '?': () => setIsOpen(true) });
  return (
    <Dialog isOpen={isOpen} title="Keyboard shortcuts" onClose={close}>
      <dl className="keys">
        {lines.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <div className="buttons">
        <button type="button" className="primary" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
