import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { CopyButton } from './values/copy-button.tsx';

interface SecretDialogProps {
  readonly title: string;
  /** What the secrets are for, in a sentence or two. */
  readonly children: ReactNode;
  readonly secrets: readonly { readonly label: string; readonly value: string }[];
  /** The caller then forgets the secrets, so that they leave the page. */
  readonly onClose: () => void;
}

/** Secrets that only one answer shows. It closes by its button only, so that nobody loses them by a key. */
export function SecretDialog({ title, children, secrets, onClose }: SecretDialogProps) {
  return (
    <Dialog isOpen title={title}>
      {children}
      <dl className="secrets">
        {secrets.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{value}</code> <CopyButton text={value} what={label.toLowerCase()} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">They are not shown again.</p>
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          I have saved them
        </button>
      </div>
    </Dialog>
  );
}
