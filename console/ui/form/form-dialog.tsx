import { type ReactNode, useState } from 'react';
import { Dialog } from '../dialog.tsx';

interface FormDialogProps {
  /** The button that opens the dialog. */
  readonly action: string;
  readonly title: string;
  /** True for the one main action of a page. */
  readonly isPrimary?: boolean;
  /** The form. It closes the dialog after its success and by its button "Cancel". */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a form. What was typed is a draft, so that it is there again after the dialog was closed. */
export function FormDialog({ action, title, isPrimary = false, children }: FormDialogProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <button
        type="button"
        className={isPrimary ? 'primary' : undefined}
        onClick={() => setIsOpen(true)}
      >
        {action}
      </button>
      {isOpen ? (
        <Dialog isOpen title={title} onClose={close}>
          {children(close)}
        </Dialog>
      ) : null}
    </>
  );
}
